// Heads of functions: templates, qualifiers, launch bounds, prototypes, parameters.
// RUN: %python %top/test/fix_test.py %ckc %s | FileCheck %s
__device__ float twice(float x);
static __device__ __forceinline__ float twice(float x) { return 2 * x; }
template <typename T, int N = 4>
__device__ T sum(const T *x) { T s = 0; for (int i = 0; i < N; ++i) s += x[i]; return s; }
__global__ void __launch_bounds__(128) k(float *y) { y[0] = twice(1.0f); }
kernel mixed(const float *x, float *y, int n) { y[0] = x[n]; }
float plain(void) { return 1.5; }
// CHECK:      {{^}}fn twice(x: f32) -> f32 { return 2 * x; }
// CHECK-NEXT: fn sum<T: type, const N: i32 = 4>(x: in T[]) -> T { var s: T = 0; for (i in 0..N) s += x[i]; return s; }
// CHECK-NEXT: kernel k(y: inout f32[]) launch(block = 128) { y[0] = twice(1.0); }
// CHECK-NEXT: kernel mixed(x: in f32[], y: inout f32[], n: i32) { y[0] = x[n]; }
// CHECK-NEXT: fn plain() -> f32 { return 1.5; }
