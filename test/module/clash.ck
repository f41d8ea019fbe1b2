// Two imports that declare one name, functions with the same parameters included, are an error.
// RUN: not %ckc %s --target=host 2>&1 | FileCheck %s
import "Inputs/sub/a.ck";
import "Inputs/b.ck";
import "Inputs/clash.ck";
// CHECK: clash.ck:5:1: error: 'TILE' is declared in '{{.*}}clash.ck' and in '{{.*}}a.ck' [import_clash]
// CHECK: Inputs/clash.ck:1:7: note: 'TILE' is declared here
// CHECK: Inputs/sub/a.ck:2:7: note: 'TILE' is declared here
// CHECK: hint: Rename one; a name that starts with '_' stays in its file.
// CHECK: clash.ck:5:1: error: 'half' is declared in '{{.*}}b.ck' and in '{{.*}}clash.ck' [import_clash]
// CHECK-NOT: error:
