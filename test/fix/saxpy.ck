// A kernel as CUDA C++ has it becomes one of CK by its fixes.
// RUN: %python %top/test/fix_test.py %ckc %s | FileCheck %s
#include <cuda_runtime.h>
extern "C" __global__ void saxpy(size_t n, float a, const float* __restrict__ x, float *y)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i] * 1.0f;
}
// CHECK-NOT:  include
// CHECK:      kernel saxpy(n: u64, a: f32, x: in f32[], y: inout f32[]){{$}}
// CHECK-NEXT: {
// CHECK-NEXT:     let i: u64 = u64(block.id.x) * block.dim.x + thread.x;
// CHECK-NEXT:     if (i < n) y[i] = a * x[i] + y[i] * 1.0;
