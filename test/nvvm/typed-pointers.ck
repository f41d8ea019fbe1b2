// NVVM IR has typed pointers, the version, the kernels in @llvm.used and their annotations.
// RUN: %ckc %s --emit=nvvm --target=sm_90 --backend=libnvvm | FileCheck %s
kernel k(x: in f32[4], y: out f32[4]) launch(block = 32) { y[0] = x[1]; }
// CHECK:      define void @k(i8 addrspace(1)* noalias nocapture readonly %x, i8 addrspace(1)* noalias nocapture %y)
// CHECK:      load float, float addrspace(1)* {{.*}}, align 4, !invariant.load
// CHECK:      !nvvmir.version = !{!0}
// CHECK:      !"kernel", i32 1
// CHECK:      !"reqntidx", i32 32
