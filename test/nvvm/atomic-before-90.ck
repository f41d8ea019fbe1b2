// Before sm_90 a cluster's scope is the device's.
// RUN: %ckc %s --emit=nvvm --target=sm_80 | FileCheck %s
kernel k(a: inout u32[8]) { atomic.or(a[0], 1, scope = cluster); }
// CHECK: asm sideeffect "red.relaxed.gpu.global.or.b32 [$0], $1;", "l,r,~{memory}"
