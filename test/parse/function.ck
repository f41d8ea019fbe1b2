// A function has a block or an expression, a result or none, and defaults.
// RUN: %ckc %s --emit=ast | FileCheck %s
fn f(a: i32 = 1) -> f32 { return 2; }
fn g() = 1;
fn h(a: (f32, i32), ) {}
// CHECK:      a function f
// CHECK-NEXT: b param a
// CHECK-NEXT: a name i32
// CHECK-NEXT: b int 1
// CHECK-NEXT: c name f32
// CHECK-NEXT: d block
// CHECK-NEXT: a return
// CHECK-NEXT: a int 2
// CHECK:      a function g
// CHECK-NEXT: d block
// CHECK-NEXT: a return
// CHECK-NEXT: a int 1
// CHECK:      a function h
// CHECK-NEXT: b param a
// CHECK-NEXT: a tuple
// CHECK-NEXT: name f32
// CHECK-NEXT: name i32
// CHECK-NEXT: d block
