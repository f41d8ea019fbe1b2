// Bitcode that is none is LLVM's complaint.
// RUN: mkdir -p %t/nvvm/libdevice
// RUN: echo no bitcode > %t/nvvm/libdevice/libdevice.10.bc
// RUN: not env CK_CUDA_HOME=%t %ckc %s --emit=ptx --target=sm_90 --backend=nvptx 2>&1 | FileCheck %s
kernel k(y: inout f32[1]) { y[0] = sin(y[0]); }
// CHECK: error: LLVM could not make code for 'sm_90': Invalid bitcode signature [target_failed]
