// Without libNVVM, the other back end is named.
// RUN: not env CK_CUDA_HOME= %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm 2>&1 | FileCheck %s
// RUN: env CK_CUDA_HOME= %ckc %s --emit=ptx --target=sm_90 -o %t
kernel k(y: inout f32[1]) { y[0] += 1; }
// CHECK: error: libNVVM is not found; --backend=nvptx needs no toolkit
