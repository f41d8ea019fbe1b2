// CUDA C++ is recognised where the grammar breaks.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k() { float x = 1; }
__global__ void f() {}
// CHECK: error: 'float' is CUDA C++ [cuda_spelling]
// CHECK: hint: A variable is declared 'var x: f32 = 0;', a value that stays 'let x = ...;'.
// CHECK: error: '__global__' is CUDA C++ [cuda_spelling]
// CHECK: hint: A kernel is written 'kernel name(x: in f32[n]) { ... }'.
