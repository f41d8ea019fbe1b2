// Constant arrays, tuples, structs and vectors: read by index, passed, copied, in functions and lambdas.
// RUN: %run-test %s
const weights: f32[5] = [1, 4, 6, 4, 1];
const TOTAL = weights[0] + weights[1] + weights[2] + weights[3] + weights[4];
const numbers = [[1, 2, 3], [4, 5, 6]];
struct Rule { from: u8; keep: bool; by: f32 = 2; }
const rules: Rule[2] = [Rule(1, true, 0.5), Rule(3, by = 1.5, keep = false)];
const axes: f32x4[2] = [f32x4(1, 0, 0, 0), f32x4(2)];
const flags: bool[3] = [true, false, true];
const halves: f16[2] = [0.5, 1.5];
const brains: bf16[2] = [0.5, 1.5];
const pair: (i32, f32) = (3, 4.5);
const one = Rule(7, true);
fn sum(x: in f32[]) -> f32 { var s = 0.0; for (v in x) s += v; return s; }
kernel k(n: u32, x: in f32[n], y: out f32[n]) launch(block = 64, grid = ceil_div(n, 64))
{
    static_assert(numbers[1, 2] == 6 && TOTAL == 16, "known at compile time");
    const local: u32[4] = [3, 2, 1, 0];
    let i = u32(grid.thread_rank);
    if (i >= n) return;
    var s = 0.0;
    for (k in 0..5) s += weights[k] * x[(i + u32(k)) % n];
    s += f32(numbers[i % 2, i % 3]) + rules[i % 2].by + axes[i % 2].w + (flags[i % 3] ? 1 : 0);
    s += f32(halves[i % 2]) + brains[i % 2] + f32(local[i % 4]);
    var copy = weights;
    copy[i % 5] = 0;
    for (v in copy) s += v;
    let f = |j| weights[j];
    y[i] = s + sum(weights) + sum(weights[1..3]) + f(i % 5) + pair[1] + one.by
         + (rules[1].keep ? 1 : 2) + f32(weights.len) + (copy == weights ? 100 : 0);
}
// CALL: k(x=iota:6, y=zeros:6)
// EXPECT: y = [sum([1, 4, 6, 4, 1][k] * x[(i + k) % 6] for k in range(5)) + [[1, 2, 3], [4, 5, 6]][i % 2][i % 3] + [.5, 3.5][i % 2] + [1, 0, 1][i % 3] + [1, 3][i % 2] + [3, 2, 1, 0][i % 4] + 55.5 for i in range(6)]
