// A divisor that is known is not guarded; one that turns out to be 0 gives all ones.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(a: u32, y: out u32[2]) { y[0] = a / 7; let z = 0u32; y[1] = a / z; }
// CHECK:      %[[A:.*]] = udiv i32 %a, 7
// CHECK:      store i32 %[[A]]
// CHECK:      %[[B:.*]] = select i1 true, i32 -1, i32
// CHECK:      store i32 %[[B]]
