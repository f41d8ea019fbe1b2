// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// algorithms.ck - device-wide algorithms on the workloads of CUB's benchmark (peers/cub_bench.cu), and
// kernels that check what they write. A check adds the number of wrong elements to bad[0].

fn mix(i: u64) -> u64 {
    var z = i * 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

kernel fill(n: u64, seed: u64, x: out u32[n]) launch(block = 256, grid = 2048) {
    for (i in grid.stride(n)) x[i] = u32(mix(i + seed));
}
kernel fill_unit(n: u64, x: out f32[n]) launch(block = 256, grid = 2048) {
    for (i in grid.stride(n)) x[i] = f32(i * 2654435761 >> 8 & 0xffff) / 65536;
}
kernel fill_runs(n: u64, run: u64, x: out i32[n]) launch(block = 256, grid = 2048) {
    for (i in grid.stride(n)) x[i] = i32(i / run);
}

// ---- reductions ----

algorithm alt_counting(n: u64) -> i64 = reduce(count<i64>(1).take(n).map(|x| x % 2 == 0 ? -x : x), +, 0);
algorithm sum_i32(n: u64, x: in i32[n]) -> i32 = reduce(x, +, 0);
algorithm sum_f32(n: u64, x: in f32[n]) -> f32 = reduce(x, +, 0.0);
algorithm dot(n: u64, x: in f32[n], w: in f32[n]) -> f32 = reduce(zip(x, w).map(|p| p[0] * p[1]), +, 0.0);

kernel check_alt(n: u64, y: in i64[1], bad: inout u64[1]) launch(block = 1, grid = 1) {
    if (y[0] != -i64(n / 2)) bad[0] += 1;
}
kernel add_u32(n: u64, x: in u32[n], to: inout u32[1]) launch(block = 256, grid = 1024) {
    var s = 0u32;
    for (i in grid.stride(n)) s += x[i];
    s = block.reduce(s, +);
    if (thread.rank == 0) atomic.add(to[0], s);
}
kernel add_f32(n: u64, x: in f32[n], w: in f32[n], is_dot: bool, to: inout f64[1]) launch(block = 256, grid = 1024) {
    var s = 0.0f64;
    for (i in grid.stride(n)) s += is_dot ? f64(x[i]) * f64(w[i]) : f64(x[i]);
    s = block.reduce(s, +);
    if (thread.rank == 0) atomic.add(to[0], s);
}
kernel same_u32(y: in u32[1], z: in u32[1], bad: inout u64[1]) launch(block = 1, grid = 1) {
    if (y[0] != z[0]) bad[0] += 1;
}
kernel near_f32(y: in f32[1], z: in f64[1], bad: inout u64[1]) launch(block = 1, grid = 1) {
    if (!(abs(f64(y[0]) - z[0]) <= 1e-5 * abs(z[0]))) bad[0] += 1;
}
