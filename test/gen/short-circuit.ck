// The right side of && and || runs only if it must, unless it is cheap.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(n: u32, x: in f32[n], y: out bool[2]) { y[0] = n > 3 && x[3] > 1; y[1] = n > 3 || n < 1; }
// CHECK:      icmp ugt i32 %n, 3
// CHECK:      br i1
// CHECK:      and.rest:
// CHECK:      load float
// CHECK:      and.end:
// CHECK:      phi i1 [ false, %{{.*}} ], [
// CHECK:      or i1
