// Constants are worked out from others, in any order, and keep their types.
// RUN: %ckc %s --stop-after=check | FileCheck %s
const A = B * 2;
const B: u64 = 3;
const C = A << 1;
fn f() { let x = C; const D = A + 1; let y = D; }
// CHECK:      constant A : u64
// CHECK:      int 6 : u64
// CHECK:      constant B : u64
// CHECK:      int 12 : u64
// CHECK:      let x : u64
// CHECK:      let y : u64
// CHECK:      int 7 : u64
