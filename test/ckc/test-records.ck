// Arrays of structs and tuples: made field by field, by columns, in rows; compared by fields, by records, by expressions.
// RUN: %ckc test --device=host %s | FileCheck %s
// CHECK: 8 passed, 0 failed
struct At { r: i16; c: i32; }
struct P { x: f32; at: At; w: f64[2]; on: bool; }
kernel same(n: u32, m: u32, p: in P[n, m], q: out P[n, m], t: out (u8, f64)[n * m]) launch(block = 1, grid = 1)
{
    for (i in 0..n * m) {
        q[i / m, i % m] = p[i / m, i % m];
        t[i] = (u8(i), p[i / m, i % m].w[1]);
    }
}
// CALL: same(p=[[{x: 1, at: {r: 2, c: -3}, w: [4, 5], on: true}, {x: 2, at: {r: 3, c: 0}, w: [6, 7], on: false}]])
// EXPECT: q.at.c = [[-3, 0]]
// EXPECT: q.on = [[1, 0]]
// EXPECT: q.w = [[[4, 5], [6, 7]]]
// EXPECT: t = [(0, 5), (1, 7)]
// EXPECT: t.f1 = p.w[0, :, 1]
// FOR: k in 1, 7
// CALL: same(p=rand:k x 3:5)
// EXPECT: q = p
// EXPECT: q.w = p.w
// EXPECT: t.f0 = arange(3 * k)
// FOR: k in 1, 7
// CALL: same(p=rand:k x 2:5:1..3)
// EXPECT: q = p
// EXPECT: q.at.r = maximum(minimum(p.at.r, 3), 1)
// CALL: same(p=iota:2x2)
// EXPECT: q.at.r = [[0, 1], [2, 3]]
// EXPECT: t.f1 = arange(4)
// CALL: same(p=ones:1x2)
// EXPECT: q = {x: 1, at: {r: 1, c: 1}, w: [1, 1], on: true}
// FOR: k in 4
// CALL: same(p={x: arange(k).reshape(2, 2), at: {r: 3, c: 4}, w: [5, 6], on: false})
// EXPECT: q.x = [[0, 1], [2, 3]]
// EXPECT: q.at.r = 3
