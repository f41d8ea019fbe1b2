// The last index of a span is the fastest; indices are extended by their sign.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(h: u32, w: u32, r: i32, c: u32, x: inout f32[h, w]) { x[r, c] = 1; }
// CHECK:      %[[W:.*]] = zext i32 %w to i64
// CHECK:      %[[R:.*]] = sext i32 %r to i64
// CHECK:      %[[M:.*]] = mul i64 %[[R]], %[[W]]
// CHECK:      %[[C:.*]] = zext i32 %c to i64
// CHECK:      %[[I:.*]] = add i64 %[[M]], %[[C]]
// CHECK:      getelementptr inbounds float, ptr addrspace(1) %x, i64 %[[I]]
