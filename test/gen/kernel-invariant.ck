// Loads from a kernel's 'in' span are invariant, others are not.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(a: in f32[4], b: inout f32[4]) { b[0] = a[1]; b[2] = b[3]; }
// CHECK:      load float, ptr addrspace(1) %{{.*}}, align 4, !invariant.load
// CHECK:      load float, ptr addrspace(1) %{{[^!]*$}}
