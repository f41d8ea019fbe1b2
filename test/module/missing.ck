// A file that is not there: the message says where it was looked for.
// RUN: not %ckc %s --target=host -I %S/Inputs/folder 2>&1 | FileCheck %s
import "none.ck";
import "Inputs";
// CHECK: missing.ck:3:1: error: there is no module 'none.ck' [import_missing]
// CHECK: hint: Looked for '{{.*}}module/none.ck', '{{.*}}Inputs/folder/none.ck'.
// CHECK: missing.ck:4:1: error: there is no module 'Inputs' [import_missing]
