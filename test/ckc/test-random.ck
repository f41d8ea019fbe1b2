// rand and iota make the same elements on every machine, of each type; a parameter's name is the seed.
// RUN: %ckc test --device=host %s | FileCheck %s
// CHECK: 3 passed, 0 failed
struct S { a: i16; b: bf16; v: (u8, f64)[2]; }
kernel copy(n: u32, a: in i8[n], b: in u64[n], c: in f16[n], d: in bf16[n], e: in f64[n], f: in bool[n], s: in S[n],
    v: in f32x3[n], oa: out i8[n], ob: out u64[n], oc: out f16[n], od: out bf16[n], oe: out f64[n], of: out bool[n],
    os: out S[n], ov: out f32x3[n]) launch(block = 1, grid = 1)
{
    for (i in 0..n) {
        (oa[i], ob[i], oc[i], od[i]) = (a[i], b[i], c[i], d[i]);
        (oe[i], of[i], os[i], ov[i]) = (e[i], f[i], s[i], v[i]);
    }
}
kernel named(n: u32, x: in f32[n], step: in i32[n], y: out f32[n], z: out i32[n]) launch(block = 1, grid = 1)
{
    for (i in 0..n) (y[i], z[i]) = (x[i], step[i]);
}
// CALL: copy(a=rand:3:5, b=rand:3:5:3..900, c=rand:3:5, d=rand:3:5:2..9, e=rand:3:5, f=rand:3:5, s=rand:3:5, v=rand:3:5)
// EXPECT: oa = [4, -15, 91]
// EXPECT: ob = [35, 23, 384]
// EXPECT: oc = [-0.2266, 0.504, -0.535]
// EXPECT: od = [4.72, 7.25, 3.61]
// EXPECT: oe = [-0.226463908032132, 0.5046140316764478, -0.5345816686450764]
// EXPECT: of = [false, true, false]
// EXPECT: os.v.f1 = [[-0.16314275381273569, 0.321947943553905], [-0.3778339850949055, -0.5757964991964866], [-0.11466328106194679, -0.8023772652301544]]
// EXPECT: os[2] = {a: 91, b: 0.219, v: [(67, -0.11466328106194679), (13, -0.8023772652301544)]}
// EXPECT: ov[2, :3] = [-0.14709735, 0.20688105, -0.099049926]
// CALL: named(x=rand:3, step=rand:3)
// EXPECT: y = [-0.59758353, 0.6170535, 0.2866472]
// EXPECT: z = [70, -85, 62]
// CALL: copy(a=iota:3, b=iota:3, c=iota:3, d=iota:3, e=iota:3, f=iota:3, s=iota:3, v=iota:3)
// EXPECT: of = [0, 1, 0]
// EXPECT: os[1:] = {a: [1, 2], b: [1, 2], v: [([1, 2], [1, 2]), ([1, 2], [1, 2])]}
