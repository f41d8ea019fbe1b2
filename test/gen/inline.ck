// A function that is one expression is worked out where it is called, its arguments once.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
fn sq(a: u32) -> u32 = a * a;
fn g(x: inout u32[]) -> u32 { x[0] += 1; return x[0]; }
kernel k(x: inout u32[4]) { x[1] = sq(g(x)); }
// CHECK:      %[[G:.*]] = call i32 @ck.g
// CHECK-NEXT: {{.*}} = mul i32 %[[G]], %[[G]]
// CHECK-NOT: @ck.sq
