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

algorithm argmin_i32(n: u64, x: in i32[n]) -> (i32, u64) = argmin(x);

kernel check_argmin(n: u64, x: in i32[n], least: in (i32, u64)[1], bad: inout u64[1]) launch(block = 256, grid = 1024) {
    let (v, at) = least[0];
    var wrong = u64(grid.thread_rank == 0 && !(at < n && x[at % n] == v));
    for (i in grid.stride(n)) wrong += u64(x[i] < v || (x[i] == v && i < at));
    if (wrong > 0) atomic.add(bad[0], wrong);
}
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

// ---- scans ----

algorithm running_f32(n: u64, x: in f32[n], y: out f32[n]) { inclusive_scan(x, y, +); }
algorithm before_i32(n: u64, x: in i32[n], y: out i32[n]) { exclusive_scan(x, y, +, 0); }
algorithm before_i64(n: u64, x: in i64[n], y: out i64[n]) { exclusive_scan(x, y, +, 0i64); }

kernel check_running_f32(n: u64, x: in f32[n], y: in f32[n], bad: inout u64[1]) launch(block = 256, grid = 1024) {
    var wrong = 0u64;
    for (i in grid.stride(n)) {
        let left = i > 0 ? y[i - 1] : 0;
        wrong += u64(!(abs(y[i] - left - x[i]) <= 1e-5 * y[i] + 1e-6));
    }
    if (wrong > 0) atomic.add(bad[0], wrong);
}
kernel check_before_i32(n: u64, x: in i32[n], y: in i32[n], bad: inout u64[1]) launch(block = 256, grid = 1024) {
    var wrong = 0u64;
    for (i in grid.stride(n)) wrong += u64(i > 0 ? y[i] != y[i - 1] + x[i - 1] : y[i] != 0);
    if (wrong > 0) atomic.add(bad[0], wrong);
}
kernel check_before_i64(n: u64, x: in i64[n], y: in i64[n], bad: inout u64[1]) launch(block = 256, grid = 1024) {
    var wrong = 0u64;
    for (i in grid.stride(n)) wrong += u64(i > 0 ? y[i] != y[i - 1] + x[i - 1] : y[i] != 0);
    if (wrong > 0) atomic.add(bad[0], wrong);
}

// ---- transforms ----

algorithm axpy(n: u64, x: in f32[n], w: in f32[n], y: out f32[n]) { transform(zip(x, w), y, |v| 2.5 * v[0] + v[1]); }
algorithm differences(n: u64, x: in i32[n], y: out i32[n]) { adjacent_difference(x, y, -); }

kernel check_axpy(n: u64, x: in f32[n], w: in f32[n], y: in f32[n], bad: inout u64[1]) launch(block = 256, grid = 1024) {
    var wrong = 0u64;
    for (i in grid.stride(n)) wrong += u64(!(abs(y[i] - (2.5 * x[i] + w[i])) <= 1e-6));
    if (wrong > 0) atomic.add(bad[0], wrong);
}
kernel check_differences(n: u64, x: in i32[n], y: in i32[n], bad: inout u64[1]) launch(block = 256, grid = 1024) {
    var wrong = 0u64;
    for (i in grid.stride(n)) wrong += u64(i > 0 ? y[i] != x[i] - x[i - 1] : y[i] != x[i]);
    if (wrong > 0) atomic.add(bad[0], wrong);
}

// ---- histograms ----

algorithm histogram_u8(n: u64, x: in u8[n], counts: out u32[256]) { histogram(x, counts, 0, 256); }
algorithm histogram_u32(n: u64, x: in u32[n], counts: out u32[2048]) { histogram(x, counts, 0u32, 0xffffffffu32); }

kernel count_u8(n: u64, x: in u8[n], counts: inout u32[256]) launch(block = 256, grid = 1024) {
    for (i in grid.stride(n)) atomic.add(counts[x[i]], 1);
}
kernel count_u32(n: u64, x: in u32[n], counts: inout u32[2048]) launch(block = 256, grid = 1024) {
    for (i in grid.stride(n)) {
        if (x[i] < 0xffffffff) atomic.add(counts[u64(x[i]) * 2048 / 0xffffffff], 1);
    }
}
kernel same_256(y: in u32[256], z: in u32[256], bad: inout u64[1]) launch(block = 256, grid = 1) {
    if (y[thread.rank] != z[thread.rank]) atomic.add(bad[0], 1);
}
kernel same_2048(y: in u32[2048], z: in u32[2048], bad: inout u64[1]) launch(block = 256, grid = 8) {
    if (y[grid.thread_rank] != z[grid.thread_rank]) atomic.add(bad[0], 1);
}
