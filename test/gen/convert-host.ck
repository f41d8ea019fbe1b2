// On the host they saturate by LLVM's intrinsics.
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s
kernel k(a: f32, b: f64, y: out i32[1], z: out u64[1]) { y[0] = i32(a); z[0] = u64(b); }
// CHECK:      call i32 @llvm.fptosi.sat.i32.f32(float
// CHECK:      call i64 @llvm.fptoui.sat.i64.f64(double
