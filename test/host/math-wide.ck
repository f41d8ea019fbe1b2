// Where libm is less exact than libdevice, the host takes libm's function of the next larger type; for
// sines of large numbers as well.
// REQUIRES: host
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s
kernel k(x: inout f32[1], y: inout f64[2]) { x[0] = tgamma(x[0]); y[0] = cbrt(y[0]); y[1] = sin(y[1]); }
// CHECK-DAG: call double @tgamma(double
// CHECK-DAG: call x86_fp80 @cbrtl(x86_fp80
// CHECK-DAG: fcmp ogt double %{{.*}}, 1.000000e+08
// CHECK-DAG: call x86_fp80 @sinl(x86_fp80
// CHECK-DAG: call double @sin(double
