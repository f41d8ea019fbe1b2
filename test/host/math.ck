// The functions of the library become those of libm.
// REQUIRES: host
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s
kernel k(x: inout f32[4], y: inout f64[2]) { x[0] = sin(x[0]); x[1] = rsqrt(x[1]); y[0] = pow(y[0], 2); y[1] = floor(y[1]); }
// CHECK-DAG: declare float @sinf(float)
// CHECK-DAG: call float @llvm.sqrt.f32
// CHECK-DAG: call double @pow
// CHECK-DAG: call double @llvm.floor.f64
