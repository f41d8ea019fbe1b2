// A compound assignment works out its place once.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
fn g(x: inout u32[]) -> u32 { x[0] += 1; return x[0]; }
kernel k(x: inout u32[9], y: inout u32[9]) { y[g(x)] += 5; }
// CHECK:      @k(
// CHECK-COUNT-1: call i32 @ck.g
// CHECK-NOT: call i32 @ck.g
// CHECK:      ret void
