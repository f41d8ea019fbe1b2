// Without libdevice, its functions are unavailable, with the places where it was looked for.
// RUN: not env CK_CUDA_HOME= %ckc %s --emit=ptx --target=sm_90 --backend=nvptx 2>&1 | FileCheck %s
kernel k(y: inout f32[1]) { y[0] = sin(y[0]); }
// CHECK: error: the program calls mathematical functions of libdevice.10.bc, which is not found
