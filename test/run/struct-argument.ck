// Kernels take structs, tuples and vectors by value; their parts are numbers or expressions.
// RUN: %run-test %s
// FOR: k in 1, 3
// CALL: k(p={x: k + 0.5, on: true, n: [4, -k], i: {a: 7, v: [(1, 2), (3, k)]}}, v=(1, 2, 3), t=(k, 0.25))
// EXPECT: z = [k + 0.5, 1, 4, -k, 7, k, 2, k, 0.25]
// CALL: k(p={x: 2, on: false, n: [1, 2], i: {a: 3, v: [(0, 0), (0, max(1, 5))]}}, v=(0, inf, 0), t=((1 + 2) * 3, -1))
// EXPECT: z = [2, 0, 1, 2, 3, 5, inf, 9, -1]
struct In { a: u8; v: f32x2[2]; }
struct P { x: f32; on: bool; n: i32[2]; i: In; }
kernel k(p: P, v: f32x3, t: (i32, f64), z: out f32[9]) launch(block = 1, grid = 1)
{
    let all = [p.x, f32(u32(p.on)), f32(p.n[0]), f32(p.n[1]), f32(p.i.a), p.i.v[1].y, v.y, f32(t[0]), f32(t[1])];
    for (i in 0..9) z[i] = all[i];
}
