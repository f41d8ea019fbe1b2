// A span with extents is one pointer, one without a pointer and its length; bool is a byte.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(n: u64, p: bool, x: in f32[n], y: out f64[]) { if (p) y[0] = f64(x[0]); }
// CHECK:      define ptx_kernel void @k(i64 %n, i8 %p, ptr addrspace(1) noalias nocapture readonly %x, ptr addrspace(1) noalias nocapture %y, i64 %len)
// CHECK:      icmp ne i8 %p, 0
