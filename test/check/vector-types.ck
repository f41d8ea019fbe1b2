// What vectors do not mix with: other counts, other kinds, conditions; reading what is written alone.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(a: in f32x4[2], y: out f32x4[2], z: out f32[4])
{
    let v = a[0];
    let b = v + v.xy;
    let c = v + 1f64;
    if (v < 1) z[0] = 0;
    let d = v.q;
    let e = v.xy.z;
    let f = v[4];
    let g = v << 1;
    let h = i32x2(1) << 32;
    z[0] = y[0].x;
    a[0].x = 1;
    v.x = 1;
    let i = sin(i32x2(1));
    let j: f32x4 = 1.5;
    let l = z.load<4>(0);
}
// CHECK: error: '+' of 'f32x4' and 'f32x2': neither type holds the other's values [no_common_type]
// CHECK: error: '+' of 'f32x4' and 'f64': neither type holds the other's values [no_common_type]
// CHECK: error: the condition is 'boolx4', not 'bool' [not_bool]
// CHECK: error: 'f32x4' has no member 'q' [no_member]
// CHECK: error: 'f32x2' has no member 'z' [no_member]
// CHECK: error: the index 4 is outside the extent 4 [index_range]
// CHECK: error: '<<' does not take 'f32x4' [bad_operand]
// CHECK: error: a shift by 32: 'i32' has 32 bits [shift_count]
// CHECK: error: 'y' is 'out': it can't be read [read_out]
// CHECK: error: 'a' is 'in': it can't be written [assign_in]
// CHECK: error: 'v' can't change: it is bound by 'let' [assign_let]
// CHECK: error: no 'sin' takes (i32) [no_overload]
// CHECK: error: cannot convert 'a number' to 'f32x4' [type_mismatch]
// CHECK: error: 'z' is 'out': it can't be read [read_out]
