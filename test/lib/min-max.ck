// min, max, abs and clamp take all numbers of one type; of floats the one that is a number.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(a: i32, b: u64, f: f32, d: f64, y: out i32[2], z: out u64[1], v: out f32[2], w: out f64[2]) {
  y[0] = min(a, 3); y[1] = abs(a); z[0] = max(b, 5); v[0] = min(f, 1); v[1] = clamp(f, 0, 1); w[0] = max(d, 2); w[1] = abs(d);
}
// CHECK:      icmp slt i32 3, %a
// CHECK:      @llvm.minnum.f32(float %f
// CHECK:      @llvm.maxnum.f32(float
// CHECK:      @llvm.maxnum.f64
// CHECK:      @llvm.fabs.f64
