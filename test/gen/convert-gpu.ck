// Floats to integers saturate; where cvt gives something else for NaN, a select gives 0.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(a: f32, b: f64, y: out i32[2], z: out u64[1], w: out i8[1]) { y[0] = i32(a); y[1] = i32(b); z[0] = u64(a); w[0] = i8(a); }
// CHECK:      call i32 @llvm.nvvm.f2i.rz(float %a)
// CHECK:      call i32 @llvm.nvvm.d2i.rz(double %b)
// CHECK:      fcmp ord double %b, %b
// CHECK:      select i1
// CHECK:      call i64 @llvm.nvvm.f2ull.rz(float %a)
// CHECK:      select i1
// CHECK:      call i32 @llvm.nvvm.f2i.rz
// CHECK:      icmp sgt i32 %{{.*}}, 127
// CHECK:      icmp slt i32 %{{.*}}, -128
// CHECK:      trunc i32
