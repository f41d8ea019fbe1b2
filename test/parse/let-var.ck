// let has a value; var a type, a value or both; both unpack tuples.
// RUN: %ckc %s --emit=ast | FileCheck %s
fn f() {
  let a = 1;
  let b: f32 = 2;
  var c: i32[2, 3];
  var d = 4;
  let (e, g) = h;
  var (i, j, k) = h;
  shared t: f32[4];
}
// CHECK:      a let a
// CHECK-NEXT: b int 1
// CHECK-NEXT: a let b
// CHECK-NEXT: a name f32
// CHECK-NEXT: b int 2
// CHECK-NEXT: a var c
// CHECK-NEXT: a index
// CHECK:      a var d
// CHECK-NEXT: b int 4
// CHECK-NEXT: a unpack
// CHECK-NEXT: let e
// CHECK-NEXT: let g
// CHECK-NEXT: name h
// CHECK-NEXT: a unpack
// CHECK-NEXT: var i
// CHECK-NEXT: var j
// CHECK-NEXT: var k
// CHECK-NEXT: name h
// CHECK-NEXT: a shared t
