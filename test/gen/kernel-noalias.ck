// in is readonly, out and inout are not; all are noalias.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(a: in f32[1], b: out f32[1], c: inout f32[1]) {}
// CHECK:      ptr addrspace(1) noalias nocapture readonly %a, ptr addrspace(1) noalias nocapture %b, ptr addrspace(1) noalias nocapture %c
