// fneg is a subtraction from -0, which LLVM 7 reads.
// RUN: %ckc %s --emit=nvvm --target=sm_90 --backend=libnvvm | FileCheck %s
kernel k(a: f32, y: out f32[1]) { y[0] = -a; }
// CHECK:      fsub float 0x8000000000000000, %a
