// A struct parameter's array is indexed, copied, sliced, and passed on, by value and as a span.
// RUN: %run-test %s
struct Weights { w: f32[16]; n: u32; m: u8[2, 2]; }
fn total(x: in f32[]) -> f32 { var t = 0.0; for (v in x) t += v; return t; }
fn by_value(k: Weights, i: u32) -> f32 = k.w[i % 16] + f32(k.n);
fn changed(k: Weights, i: u32) -> f32 { var c = k; c.w[i % 16] += 1; return c.w[i % 16] + k.w[i % 16]; }
fn Weights.at(i: u32) -> f32 = self.w[i % 16];
kernel weighted(k: Weights, y: out f32[4, 7]) launch(block = 4, grid = 1)
{
    let i = thread.x;
    for (j in 0..k.n) y[i, 0] = k.w[(i + j) % 16];
    y[i, 1] = total(k.w[i..i + 2]);
    y[i, 2] = by_value(k, i);
    y[i, 3] = changed(k, i);
    y[i, 4] = k.at(i);
    y[i, 5] = f32(k.m[i % 2, 1]);
    let copy = k.w;
    y[i, 6] = copy[i];
}
// CALL: weighted(k={w: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], n: 2, m: [[1, 2], [0, 9]]})
// EXPECT: y = [[2, 3, 3, 3, 1, 2, 1], [3, 5, 4, 5, 2, 9, 2], [4, 7, 5, 7, 3, 2, 3], [5, 9, 6, 9, 4, 9, 4]]
