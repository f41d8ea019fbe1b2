// CUDA C++ is recognised where the grammar breaks, once each, and the compiler goes on behind it.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(y: out f32[2]) { float x = 1; y[0] = fmaxf(x, missing); }
__global__ void f() {}
// CHECK:      3:27: error: 'float x' is CUDA C++ [cuda_spelling]
// CHECK:      fix: write 'let x: f32' instead
// CHECK:      3:47: error: 'fmaxf' is CUDA C++ [cuda_spelling]
// CHECK:      fix: write 'max' instead
// CHECK:      3:56: error: 'missing' is not declared [undeclared]
// CHECK:      4:1: error: '__global__ void f' is CUDA C++ [cuda_spelling]
// CHECK:      fix: write 'kernel f()' instead
// CHECK-NOT:  error:
