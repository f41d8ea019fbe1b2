// i32(f64(x)) saturates where x doesn't fit, and f32(x) rounds to zero: both are cvt in the PTX.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s --no-repair=conversions --emit=ptx --target=sm_90 --backend=nvptx -o - \
// RUN:   | FileCheck %s --check-prefix=WITHOUT
kernel k(x: in i64[32], y: out i32[32], z: out f32[32]) launch(block = 32, grid = 1)
{
    let t = thread.rank;
    y[t] = i32(f64(x[t]));
    z[t] = f32(x[t], round = zero);
}
// CHECK: cvt.rn.f64.s64
// CHECK: cvt.rzi.s32.f64
// CHECK: cvt.rz.f32.s64
// The lower half of x is stored as it is, and z is rounded to nearest.
// WITHOUT-NOT: cvt.rzi
// WITHOUT:     cvt.rn.f32.s64
