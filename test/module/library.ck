// A file of the library can import another one; the program sees the library as a whole.
// RUN: %ckc %s --emit=manifest --lib=%S/Inputs/lib | FileCheck %s
// RUN: not %ckc %s --emit=manifest 2>&1 | FileCheck %s --check-prefix=NONE
import "extra";
kernel k(x: inout f32[EXTRA]) { x[0] = f32(EXTRA); }
// CHECK: "imports": ["{{.*}}Inputs/lib/extra.ck", "{{.*}}Inputs/lib/more.ck"]
// CHECK: "extents": ["12"]
// NONE: error: there is no module 'extra' [import_missing]
