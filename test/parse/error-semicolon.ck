// A missing ';' is reported where it belongs.
// RUN: not %ckc %s --emit=ast 2>&1 | FileCheck %s
fn f() {
  let a = 1
  let b = 2;
}
// CHECK:      :4:12: error: expected ';'
// CHECK-NOT: error:
