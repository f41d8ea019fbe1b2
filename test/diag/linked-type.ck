// Functions of a link take and give what CUDA C++ passes alike.
// RUN: not %ckc %s --stop-after=check --target=sm_90 2>&1 | FileCheck %s
struct S { a: i32; }
import fn a(x: bool) -> f32;
import fn b(x: in f32[]) -> f16;
import fn c(s: S) -> f32x2;
export fn d(t: (i32, i32)) -> bool { return t[0] == 1; }
export fn e(x: i8, y: u64, p: ptr<S>, z: f64) -> f32 { return 1.0; }
// CHECK: :4:13: error: 'a' takes 'bool': functions of a link take and give integers, f32, f64 and pointers [linked_type]
// CHECK: hint: Use u32.
// CHECK: error: 'b' takes 'in f32[]'
// CHECK: hint: Use a ptr<T>, and a count beside it.
// CHECK: error: 'b' gives 'f16'
// CHECK: error: 'c' takes 'S'
// CHECK: error: 'c' gives 'f32x2'
// CHECK: error: 'd' takes '(i32, i32)'
// CHECK: error: 'd' gives 'bool'
// CHECK-NOT: error:
