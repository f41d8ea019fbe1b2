// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// algorithms.ck - device-wide algorithms on the workloads of CUB's benchmark (peers/cub_bench.cu), those
// of peers/cub_struct_bench.cu, and kernels that check what they write. A check adds the number of wrong
// elements to bad[0].

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
algorithm fixed_f32(n: u64, x: in f32[n]) -> f32 = reduce(x, +, 0.0, determinism = gpu_to_gpu);
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

// ---- compactions ----

algorithm odd_i32(n: u64, x: in i32[n], y: out i32[n]) -> u64 = select(x, |v| v & 1 == 1, y);
algorithm three_ways(n: u64, x: in i32[n], y: out i32[n], z: out i32[n], o: out i32[n]) -> (u64, u64) =
    partition(x, |v| v & 7 < 3, |v| v & 7 > 5, y, z, o);
algorithm firsts_i32(n: u64, x: in i32[n], w: in i32[n], y: out i32[n], z: out i32[n]) -> u64 = unique_by_key(x, w, y, z);
algorithm totals_i32(n: u64, x: in i32[n], w: in i32[n], y: out i32[n], z: out i32[n]) -> u64 = reduce_by_key(x, w, +, y, z);
algorithm lengths_i32(n: u64, x: in i32[n], y: out i32[n], z: out i32[n]) -> u64 = run_length_encode(x, y, z);

// Checks of what is kept: elements of chunks of 1024 are counted, and a thread walks a chunk from where
// it begins in the output. `kind` 0: odd ones, 1: low ones, 2: high ones, 3: the rest.
fn is_kind(v: i32, kind: u32) -> bool {
    let (low, high) = (v & 7 < 3, v & 7 > 5);
    return kind == 0 ? v & 1 == 1 : kind == 1 ? low : kind == 2 ? high : !low && !high;
}
fn count_chunk(x: in i32[], kind: u32, counts: out u64[]) {
    for (b in grid.stride(counts.len)) {
        var k = 0u64;
        for (i in b * 1024..min((b + 1) * 1024, x.len)) k += u64(is_kind(x[i], kind));
        counts[b] = k;
    }
}
fn walk_chunk(x: in i32[], kind: u32, begins: in u64[], y: in i32[], told: u64, bad: inout u64[]) {
    for (b in grid.stride(begins.len)) {
        var (at, wrong) = (begins[b], 0u64);
        for (i in b * 1024..min((b + 1) * 1024, x.len)) {
            if (!is_kind(x[i], kind)) continue;
            wrong += u64(at >= told || y[min(at, y.len - 1)] != x[i]);
            at += 1;
        }
        if (b + 1 == begins.len) wrong += u64(at != told);
        if (wrong > 0) atomic.add(bad[0], wrong);
    }
}
algorithm walk(x: in i32[], kind: u32, y: in i32[], told: u64, bad: inout u64[1]) {
    scratch counts: u64[ceil_div(x.len, 1024)];
    scratch begins: u64[ceil_div(x.len, 1024)];
    launch count_chunk(block = 64, grid = 1024, x, kind, counts);
    exclusive_scan(counts, begins, +, 0u64);
    launch walk_chunk(block = 64, grid = 1024, x, kind, begins, y, told, bad);
}
algorithm check_odd(n: u64, x: in i32[n], y: in i32[n], r: in u64[1], bad: inout u64[1]) { walk(x, 0, y, r[0], bad); }
algorithm check_ways(n: u64, x: in i32[n], y: in i32[n], z: in i32[n], o: in i32[n], r: in u64[2], bad: inout u64[1]) {
    walk(x, 1, y, r[0], bad);
    walk(x, 2, z, r[1], bad);
    walk(x, 3, o, n - r[0] - r[1], bad);
}

// Runs of 5, of the keys 0, 1, 2, ... `kind` 0: first values, 1: sums, 2: lengths.
fn check_runs(n: u64, w: in i32[], y: in i32[], z: in i32[], told: u64, kind: u32, bad: inout u64[]) {
    let runs = ceil_div(n, 5);
    var wrong = u64(grid.thread_rank == 0 && told != runs);
    for (r in grid.stride(runs)) {
        var v = w[5 * r];
        if (kind == 1) {
            for (i in 5 * r + 1..min(5 * r + 5, n)) v += w[i];
        }
        if (kind == 2) v = i32(min(n - 5 * r, 5));
        wrong += u64(y[r] != i32(r) || z[r] != v);
    }
    if (wrong > 0) atomic.add(bad[0], wrong);
}
kernel check_firsts(n: u64, w: in i32[n], y: in i32[n], z: in i32[n], r: in u64[1], bad: inout u64[1]) launch(block = 256, grid = 1024) {
    check_runs(n, w, y, z, r[0], 0, bad);
}
kernel check_totals(n: u64, w: in i32[n], y: in i32[n], z: in i32[n], r: in u64[1], bad: inout u64[1]) launch(block = 256, grid = 1024) {
    check_runs(n, w, y, z, r[0], 1, bad);
}
kernel check_lengths(n: u64, w: in i32[n], y: in i32[n], z: in i32[n], r: in u64[1], bad: inout u64[1]) launch(block = 256, grid = 1024) {
    check_runs(n, w, y, z, r[0], 2, bad);
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

// ---- sorts ----

algorithm sort_u32(n: u64, x: in u32[n], y: out u32[n]) { radix_sort(x, to = y); }
algorithm sort_u64(n: u64, x: in u64[n], y: out u64[n]) { radix_sort(x, to = y); }
algorithm sort_pairs(n: u64, x: in u32[n], w: in u32[n], y: out u32[n], o: out u32[n]) { radix_sort(x, w, to = y, to_values = o); }
algorithm merge_i32(n: u64, x: in i32[n], y: out i32[n]) { merge_sort(x, y, <); }
algorithm merge_by(n: u64, x: in i32[n], y: out i32[n]) { merge_sort(x, y, |a, b| !(a >= b)); }

// Counts where y falls, and adds up by how much the sums of hashes of x and y differ.
kernel check_order<K: type>(n: u64, x: in K[n], y: in K[n], sum: inout u64[1], bad: inout u64[1]) launch(block = 256, grid = 1024) {
    var (wrong, s) = (0u64, 0u64);
    for (i in grid.stride(n)) {
        wrong += u64(i > 0 && y[i - min(i, 1)] > y[i]);
        s += mix(u64(x[i])) - mix(u64(y[i]));
    }
    if (wrong > 0) atomic.add(bad[0], wrong);
    atomic.add(sum[0], s);
}
export check_order<u32>;
export check_order<u64>;
export check_order<i32>;
kernel check_pairs(n: u64, x: in u32[n], w: in u32[n], y: in u32[n], o: in u32[n], sum: inout u64[1], bad: inout u64[1]) launch(block = 256, grid = 1024) {
    var (wrong, s) = (0u64, 0u64);
    for (i in grid.stride(n)) {
        wrong += u64(i > 0 && y[i - min(i, 1)] > y[i]);
        s += mix(u64(x[i]) << 32 | u64(w[i])) - mix(u64(y[i]) << 32 | u64(o[i]));
    }
    if (wrong > 0) atomic.add(bad[0], wrong);
    atomic.add(sum[0], s);
}
kernel check_sum(sum: in u64[1], bad: inout u64[1]) launch(block = 1, grid = 1) {
    if (sum[0] != 0) bad[0] += 1;
}

// ---- segments ----

algorithm segment_sums(n: u64, s: u64, x: in f32[n], offsets: in u32[s + 1], y: out f32[s]) {
    segmented_reduce(x, offsets, y, +, 0.0);
}
kernel fill_offsets(n: u64, s: u64, offsets: out u32[s + 1]) launch(block = 256, grid = 2048) {
    for (i in grid.stride(s + 1)) offsets[i] = u32(i * (n / s));
}
kernel check_segments(n: u64, s: u64, x: in f32[n], y: in f32[s], bad: inout u64[1]) launch(block = 256, grid = 1024) {
    let run = n / s;
    for (i in grid.stride(s)) {
        var v = 0.0f64;
        for (k in i * run..(i + 1) * run) v += f64(x[k]);
        if (!(abs(f64(y[i]) - v) <= 1e-5 * abs(v))) atomic.add(bad[0], 1);
    }
}

algorithm segment_running(n: u64, s: u64, x: in i32[n], offsets: in u32[s + 1], y: out i32[n]) {
    inclusive_segmented_scan(x, offsets, y, +);
}
kernel check_segment_running(n: u64, s: u64, x: in i32[n], y: in i32[n], bad: inout u64[1]) launch(block = 256, grid = 1024) {
    let run = n / s;
    var wrong = 0u64;
    for (i in grid.stride(n)) wrong += u64(y[i] != (i % run > 0 ? y[i - min(i, 1)] + x[i] : x[i]));
    if (wrong > 0) atomic.add(bad[0], wrong);
}

// ---- a struct of 12 bytes, and functions that the library doesn't know ----

struct Stat { total: i32; least: i32; most: i32; }
fn both(a: Stat, b: Stat) -> Stat = Stat(a.total + b.total, min(a.least, b.least), max(a.most, b.most));
fn is_same(a: Stat, b: Stat) -> bool = a.total == b.total && a.least == b.least && a.most == b.most;
fn hash_of(a: Stat) -> u64 = mix(u64(u32(a.total)) << 32 | u64(u32(a.least))) * 3 + mix(u64(u32(a.most)));

algorithm reduce_stat(n: u64, x: in Stat[n]) -> Stat = reduce(x, both, Stat(0, 0, 0));
algorithm running_stat(n: u64, x: in Stat[n], y: out Stat[n]) { inclusive_scan(x, y, both); }
algorithm sort_stat(n: u64, x: in Stat[n], y: out Stat[n]) { merge_sort(x, y, |a, b| a.total < b.total); }
algorithm sort_stat_by(n: u64, x: in Stat[n], y: out Stat[n]) { merge_sort(x, y, |a, b| !(a.total >= b.total)); }

// z has been cleared: the value of no elements.
kernel add_stat(n: u64, x: in Stat[n], z: inout i32[3]) launch(block = 256, grid = 1024) {
    var s = Stat(0, 0, 0);
    for (i in grid.stride(n)) s = both(s, x[i]);
    atomic.add(z[0], s.total);
    atomic.min(z[1], s.least);
    atomic.max(z[2], s.most);
}
kernel same_stat(y: in Stat[1], z: in Stat[1], bad: inout u64[1]) launch(block = 1, grid = 1) {
    if (!is_same(y[0], z[0])) bad[0] += 1;
}
kernel check_running_stat(n: u64, x: in Stat[n], y: in Stat[n], bad: inout u64[1]) launch(block = 256, grid = 1024) {
    var wrong = 0u64;
    for (i in grid.stride(n)) wrong += u64(!is_same(y[i], i > 0 ? both(y[i - min(i, 1)], x[i]) : x[i]));
    if (wrong > 0) atomic.add(bad[0], wrong);
}
kernel check_sorted_stat(n: u64, x: in Stat[n], y: in Stat[n], sum: inout u64[1], bad: inout u64[1]) launch(block = 256, grid = 1024) {
    var (wrong, s) = (0u64, 0u64);
    for (i in grid.stride(n)) {
        wrong += u64(i > 0 && y[i - min(i, 1)].total > y[i].total);
        s += hash_of(x[i]) - hash_of(y[i]);
    }
    if (wrong > 0) atomic.add(bad[0], wrong);
    atomic.add(sum[0], s);
}
