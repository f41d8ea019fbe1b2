// Casts, pointers, calls and names of CUDA C++.
// RUN: %python %top/test/fix_test.py %ckc %s | FileCheck %s
kernel k(n: u32, x: in f32[n], y: inout f32[n]) {
    *y = sqrtf(fabsf(*(x + 1))) + std::max(expf(x[2]), static_cast<float>(n));
    y[1] = __ldg(&x[3]) + (float)-n + (float)x[2] * (float)(n + 1);
    if (warpSize == 32 && gridDim.x > 1u) __syncthreads();
    printf("%d: %5.2f {%x}%%\n", n, x[0], n);
    y[2] = x[0] > 0 and not (x[1] > 0) ? INFINITY : -INFINITY;
    y[3] = 1.f + (float)(unsigned)x[0] / 2.0f;
}
// CHECK:      y[0] = sqrt(abs(x[1])) + max(exp(x[2]), f32(n));
// CHECK-NEXT: y[1] = x[3] + f32(-n) + f32(x[2]) * f32(n + 1);
// CHECK-NEXT: if (warp.size == 32 && grid.dim.x > 1u32) block.sync();
// CHECK-NEXT: print("{}: {:5.2f} {{[{][{]}}{:x}{{[}][}]}}%", n, x[0], n);
// CHECK-NEXT: y[2] = x[0] > 0 && !(x[1] > 0) ? inf : -inf;
// CHECK-NEXT: y[3] = 1. + f32(u32(x[0])) / 2.0;
