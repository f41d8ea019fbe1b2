// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// algorithm_stress.ck - algorithms whose blocks wait for each other, and kernels that digest what they write.

struct Map3 { a: u32; b: u32; c: u32; }
fn then(f: Map3, g: Map3) -> Map3 = Map3(f.a * g.a, f.b * g.a + g.b, f.c + g.c);
fn mix(i: u64) -> u64 {
    var z = i * 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

kernel fill(n: u64, x: out u32[n], w: out u32[n]) launch(block = 256, grid = 512) {
    for (i in grid.stride(n)) {
        x[i] = u32(mix(i));
        w[i] = u32(i / 5);
    }
}
// Adds a number to sum[0] that depends on each word and its place, whatever the order of the sum.
kernel digest(n: u64, x: in u32[n], sum: inout u64[1]) launch(block = 256, grid = 512) {
    var s = 0u64;
    for (i in grid.stride(n)) s += mix(i << 32 ^ u64(x[i]) ^ 0x5555);
    atomic.add(sum[0], s);
}
// Appends the sum to the list, and clears it.
kernel append(most: u64, sum: inout u64[1], count: inout u64[1], list: inout u64[most]) launch(block = 1, grid = 1) {
    if (count[0] < most) list[count[0]] = sum[0];
    count[0] += 1;
    sum[0] = 0;
}
// Keeps as many blocks busy for about `turns` dependent operations a thread.
kernel load(blocks: u64, turns: u64, x: inout u32[1]) launch(block = 512, grid = blocks) {
    var v = u32(grid.thread_rank) | 1;
    for (i in 0..turns) v = v * 1664525 + u32(i) * 2 + 1013904222;
    if (v == 0) x[0] = v; // never: v is odd
}

algorithm sum_f32(n: u64, x: in u32[n]) -> f32 = reduce(x.map(|v| f32(v) * 1e-9), +, 0.0);
algorithm sum_maps(n: u64, x: in u32[n]) -> Map3 = reduce(x.map(|v| Map3(v | 1, v >> 3, 1)), then, Map3(1, 0, 0));
algorithm least(n: u64, x: in u32[n]) -> (u32, u64) = argmin(x);
algorithm running(n: u64, x: in u32[n], y: out u32[n]) { inclusive_scan(x, y, +); }
algorithm before(n: u64, x: in u32[n], y: out u64[n]) { exclusive_scan(x.map(|v| u64(v)), y, +, 0u64); }
algorithm running_maps(n: u64, x: in u32[n], y: out u32[n]) {
    inclusive_scan(x.map(|v| Map3(v | 1, v >> 3, 1)), y.map_store(|f| f.a ^ f.b ^ f.c), then);
}
algorithm running_in_place(n: u64, x: in u32[n], y: inout u32[n]) {
    transform(x, y, |v| v);
    inclusive_scan(y, y, max);
}
algorithm odd(n: u64, x: in u32[n], y: out u32[n]) -> u64 = select(x, |v| (v & 1) == 1, y);
algorithm odd_places(n: u64, x: in u32[n], y: out u64[n]) -> u64 = select(x.enumerate().map(|p| p[0] << 32 | u64(p[1])), |v| (v & 1) == 1, y);
algorithm three_ways(n: u64, x: in u32[n], y: out u32[n], z: out u32[n]) -> (u64, u64) =
    partition(x, |v| (v & 7) < 3, |v| (v & 7) > 5, y, z, discard<u32>());
algorithm two_ways(n: u64, x: in u32[n], y: out u32[n], z: out u32[n]) -> u64 = partition(x, |v| (v & 7) < 3, y, z);
algorithm distinct(n: u64, w: in u32[n], y: out u32[n]) -> u64 = unique(w, y);
algorithm firsts(n: u64, w: in u32[n], x: in u32[n], y: out u32[n], z: out u32[n]) -> u64 = unique_by_key(w, x, y, z);
algorithm lengths(n: u64, w: in u32[n], y: out u32[n], z: out u32[n]) -> u64 = run_length_encode(w, y, z);
algorithm repeats(n: u64, w: in u32[n], y: out u64[n], z: out u32[n]) -> u64 = nontrivial_runs(w, y, z);
algorithm totals(n: u64, w: in u32[n], x: in u32[n], y: out u32[n], z: out u32[n]) -> u64 = reduce_by_key(w, x, +, y, z);
algorithm running_of_keys(n: u64, w: in u32[n], x: in u32[n], y: out u32[n]) { inclusive_scan_by_key(w, x, y, +); }
algorithm sort_keys(n: u64, x: in u32[n], y: inout u32[n]) { radix_sort(x, to = y); }
algorithm sort_in_place(n: u64, x: in u32[n], y: inout u32[n]) {
    transform(x, y, |v| v);
    radix_sort(y, descending = true);
}
algorithm sort_pairs(n: u64, x: in u32[n], y: inout u32[n], z: inout u32[n]) { radix_sort(x.map(|v| v >> 12), count<u32>(), to = y, to_values = z); }
algorithm sort_wide(n: u64, x: in u32[n], y: inout u64[n]) { radix_sort(x.map(|v| u64(v) << 32 | u64(~v)), to = y); }
algorithm merge_keys(n: u64, x: in u32[n], y: inout u32[n]) { merge_sort(x, y, |a, b| (a & 0xffff) < (b & 0xffff)); }
algorithm best(n: u64, x: in u32[n], y: inout u32[n], z: inout u32[n]) { top_k(x, count<u32>(), y.take(100), z.take(100)); }
algorithm segment_sums(n: u64, x: in u32[n], y: out f32[n]) {
    segmented_reduce(x.map(|v| f32(v) * 1e-9), tabulate(|s| s * 100).take(n / 100 + 1), y, +, 0.0);
}
algorithm segment_sort(n: u64, x: in u32[n], y: inout u32[n]) {
    transform(x, y, |v| v);
    segmented_sort(y, tabulate(|s| s * 300).take(n / 300 + 1), <);
}
algorithm segment_radix(n: u64, x: in u32[n], y: inout u32[n]) {
    transform(x, y, |v| v);
    segmented_radix_sort(y, tabulate(|s| s * 300).take(n / 300 + 1));
}
algorithm copies(n: u64, x: in u32[n], y: out u32[n]) {
    batched_copy(x, tabulate(|r| n / 8 - r), tabulate(|r| r % 7).take(n / 8), y, tabulate(|r| 7 * r));
}
algorithm late(n: u64, x: in u32[n]) -> u64 = find_if(x.enumerate(), |p| p[0] > n / 2 && (p[1] & 255) == 7);
algorithm either(n: u64, w: in u32[n], y: out u64[2 * n]) -> u64 =
    set_union(w.map(|v| u64(v)), w.map(|v| u64(v) / 2 * 3), y, <);
algorithm common(n: u64, w: in u32[n], y: out u64[n]) -> u64 =
    set_intersection(w.map(|v| u64(v)), w.map(|v| u64(v) / 2 * 3), y, <);
algorithm bins(n: u64, x: in u32[n], y: out u32[256]) { histogram(x.map(|v| u8(v)), y, 0, 256); }
