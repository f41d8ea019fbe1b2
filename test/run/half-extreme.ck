// min and max of halves: the number beside NaN, -0 below 0, of vectors too, and as constants.
// RUN: %run-test %s
const LEAST: f16 = min(max(1f16, nan<f16>), -0f16);
const MOST: bf16 = max(-0bf16, 0bf16);
static_assert(1f32 / f32(LEAST) < 0 && 1f32 / f32(MOST) > 0, "-0 is below 0");

kernel extremes(x: in f16[8], z: in f16[8], y: out f16[8], w: out bf16[8, 3]) launch(block = 8, grid = 1)
{
    let (a, b) = (x[thread.x], z[thread.x]);
    y[thread.x] = min(a, b);
    let most = max(bf16x3(bf16(f32(a))), bf16x3(0, 1, bf16(f32(b))));
    (w[thread.x, 0], w[thread.x, 1], w[thread.x, 2]) = (most.x, most.y, most.z);
}
// CALL: extremes(x=[1, nan, -0.0, 3, 0.00001, inf, -inf, -2], z=[nan, nan, 0, 4, 0.00002, 3, 5, -1])
// EXPECT: y = [1, nan, -0.0, 3, 0.00001, 3, -inf, -2]
// EXPECT: w = [[1, 1, 1], [0, 1, nan], [0, 1, 0], [3, 3, 4], [0.00001, 1, 0.00002], [inf, inf, inf], [0, 1, 5], [0, 1, -1]]
