// x / 0 is all ones, x % 0 is x, the lowest by -1 is itself: a divisor that is not known is guarded.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(a: i32, b: i32, y: out i32[2]) { y[0] = a / b; y[1] = a % b; }
// CHECK:      icmp eq i32 %b, 0
// CHECK:      icmp eq i32 %b, -1
// CHECK:      %[[SAFE:.*]] = select i1 %{{.*}}, i32 1, i32 %b
// CHECK:      sdiv i32 %a, %[[SAFE]]
// CHECK:      select i1 %{{.*}}, i32 %{{.*}}, i32
// CHECK:      select i1 %{{.*}}, i32 -1, i32
// CHECK:      srem i32
// CHECK:      select i1 %{{.*}}, i32 %a, i32
