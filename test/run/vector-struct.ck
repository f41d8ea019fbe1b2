// A vector is a field of a struct like any other: it is assigned whole and by component.
// RUN: %run-test %s
// CALL: k(x=rand:2, y=zeros:2, z=zeros:2)
// EXPECT: y = [[2 + a[1], a[1], a[2], a[3]] for a in x]
// EXPECT: z = [[a[2] + 1, a[2] + 1] for a in x]
struct Mass { tag: f32; less: f32x4; is_less: boolx2; w: f64x4; }
kernel k(x: in f32x4[2], y: out f32x4[2], z: out f32x2[2]) launch(block = 2, grid = 1)
{
    let v = x[thread.x];
    var q = Mass(1, v, v.xy < 2, f64x4(0));
    q.less.x = 2 + v.y;
    q.w = f64x4(q.less + q.tag);
    z[thread.x] = select(q.is_less, f32x2(q.w.zz), f32x2(0));
    y[thread.x] = q.less;
}
