// A value in <...> where each function of the name takes a type names them all.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn size<T: type>(v: u32) -> u32 = v + sizeof<T>;
fn size<T: type>(v: f32) -> u32 = u32(v) + sizeof<T>;
kernel k(y: out u32[1]) launch(block = 1, grid = 1) { y[0] = size<4>(1u32); }
// CHECK: error: no 'size' takes
// CHECK: candidate: size(v: u32)
// CHECK: candidate: size(v: f32)
// CHECK-NOT: error
