// A function's 'in' span may be what another parameter writes: its loads are not invariant.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
fn f(a: in f32[], b: inout f32[]) -> f32 { b[0] = 1.0; return a[0]; }
kernel k(x: inout f32[4]) { x[1] = f(x, x); }
// CHECK:      define internal float @ck.f
// CHECK-NOT: !invariant.load
// CHECK:      ret float
