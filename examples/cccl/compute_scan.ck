// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// compute_scan.ck - cuda.compute's examples of scans, by name: scan/*.

algorithm exclusive_scan_max(n: u64, x: in i32[n], y: out i32[n]) { exclusive_scan(x, y, max, 1); }
algorithm inclusive_scan_custom(n: u64, x: in i32[n], y: out i32[n]) { inclusive_scan(x.map(|v| v % 2 == 0 ? v : 0), y, +); }
// CALL: exclusive_scan_max(x=[-5, 0, 2, -3, 2, 4, 0, -1, 2, 8])
// EXPECT: y = [1, 1, 1, 2, 2, 2, 4, 4, 4, 4]
// CALL: inclusive_scan_custom(x=[1, 2, 3, 4, 5])
// EXPECT: y = [0, 2, 2, 6, 6]

// ---- ema_example: an exponential moving average as a scan of the maps y -> a * y + b ----
struct Step { a: f64; b: f64; }
fn then(f: Step, g: Step) -> Step = Step(f.a * g.a, g.a * f.b + g.b);
algorithm ema_example(n: u64, alpha: f64, x: in f64[n], y: out f64[n]) {
    inclusive_scan(x.enumerate().map(|p| p[0] == 0 ? Step(0, p[1]) : Step(1 - alpha, alpha * p[1])), y.map_store(|f| f.b), then);
}
// CALL: ema_example(alpha=0.25, x=rand:1000)
// EXPECT: y = [v := x[0], *[v := 0.25 * w + 0.75 * v for w in x[1:]]]
// TOLERANCE: 1e-9

// ---- logcdf_example: the logarithms of running sums of exp(x), which may overflow themselves ----
fn log_add(a: f64, b: f64) -> f64 = max(a, b) + log(exp(min(a, b) - max(a, b)) + 1);
algorithm logcdf_example(n: u64, x: in f64[n], y: out f64[n]) { inclusive_scan(x, y, log_add); }
// CALL: logcdf_example(x=rand:100)
// EXPECT: y = log(cumsum(exp(x)))
// TOLERANCE: 1e-9

// ---- running_average: a scan of pairs ----
algorithm running_average(n: u64, x: in f64[n], y: out f64[n]) {
    inclusive_scan(x.map(|v| (v, 1.0f64)), y.map_store(|p| p[0] / p[1]), |a, b| (a[0] + b[0], a[1] + b[1]));
}
// CALL: running_average(x=rand:1000)
// EXPECT: y = cumsum(x) / (arange(1000) + 1)
// TOLERANCE: 1e-9

// ---- segmented_sum: a scan of values with flags of heads ----
algorithm segmented_sum(n: u64, flags: in i32[n], x: in i32[n], y: out i32[n]) {
    inclusive_scan(zip(flags, x), y.map_store(|p| p[1]), |a, b| (a[0] | b[0], b[0] != 0 ? b[1] : a[1] + b[1]));
}
// CALL: segmented_sum(flags=[1, 0, 0, 1, 0, 1, 0, 0, 0, 1], x=[1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
// EXPECT: y = [1, 3, 6, 4, 9, 6, 13, 21, 30, 10]
