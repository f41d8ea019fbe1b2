// A loop tests at its end; a step is 1 or more, and taken while more than one is left.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(a: i32, b: i32, s: i32, y: inout i32[1]) { for (i in a..b) y[0] += i; for (i in (a..b).step(s)) y[0] -= i; }
// CHECK:      icmp slt i32 %a, %b
// CHECK:      for.body
// CHECK:      for.next
// CHECK:      %[[ON:.*]] = add i32 %i
// CHECK:      icmp ne i32 %[[ON]], %b
// CHECK:      %[[S:.*]] = select i1 %{{.*}}, i32 %s, i32 1
// CHECK:      for.next
// CHECK:      %[[LEFT:.*]] = sub i32 %b
// CHECK:      icmp ugt i32 %[[LEFT]], %[[S]]
