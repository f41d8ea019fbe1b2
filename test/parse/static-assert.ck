// static_assert has a condition and perhaps a text, in a module and in a block.
// RUN: %ckc %s --emit=ast | FileCheck %s
static_assert(a == 1);
fn f() { static_assert(true, "why"); }
// CHECK:      a static_assert
// CHECK-NEXT: binary ==
// CHECK:      a function f
// CHECK-NEXT: d block
// CHECK-NEXT: a static_assert
// CHECK-NEXT: bool true
// CHECK-NEXT: b string "why"
