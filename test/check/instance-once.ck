// Equal instances are made once; what they bind tells them apart.
// RUN: %ckc %s --emit=manifest | FileCheck %s
kernel k<T: float = f32, const N: u32 = 2>(y: out T[1]) { y[0] = T(N); }
export k, k<f32, 2>, k<f64>, k<f32, 1 + 1>, k<f32, 3>;
// CHECK:      "name": "k<f32,2>"
// CHECK-NOT: k<f32,2>
// CHECK:      "name": "k<f64,2>"
// CHECK:      "symbol": "kernel.k_f64_2"
// CHECK:      "name": "k<f32,3>"
// CHECK-NOT: "name": "k
