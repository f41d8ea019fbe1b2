// On the host, shared memory is in the block's, one variable behind the other.
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s
kernel k(y: out f32[1]) { shared a: f32[3]; shared b: f64[2]; a[0] = 1; b[0] = 2; y[0] = a[0]; }
// CHECK:      %a = getelementptr inbounds i8, ptr %shared, i64 0
// CHECK:      %b = getelementptr inbounds i8, ptr %shared, i64 16
