// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thrust_ranges.ck - Thrust's examples of ranges and scans: expand, repeated_range, run_length_encoding,
// run_length_decoding, scan_by_key, scan_matrix_by_rows, simple_moving_average, sparse_vector, stream_compaction,
// strided_range, summed_area_table, tiled_range.

// ---- expand, run_length_decoding: element i as many times as counts[i] says ----
algorithm expand(n: u64, m: u64, counts: in u32[n], x: in i32[n], y: out i32[m]) {
    scratch ends: u64[n];
    inclusive_scan(counts.map(|c| u64(c)), ends, +);
    transform(tabulate(|i| upper_bound(ends, i)).take(m), y, |k| x[k]);
}
// CALL: expand(m=12, counts=[3, 5, 0, 2, 1, 1], x=[1, 2, 3, 4, 5, 6], y=zeros:12)
// EXPECT: y = [1, 1, 1, 2, 2, 2, 2, 2, 4, 4, 5, 6]

// ---- repeated_range, strided_range, tiled_range: views, without memory for them ----
algorithm repeated_range(n: u64, k: u64, x: in i32[n], y: out i32[n * k]) { transform(tabulate(|i| x[i / k]).take(n * k), y, |v| v); }
algorithm strided_range(n: u64, k: u64, x: in i32[n]) -> i32 = reduce(x.strided(k), +, 0);
algorithm tiled_range(n: u64, k: u64, x: in i32[n], y: out i32[n * k]) { transform(tabulate(|i| x[i % n]).take(n * k), y, |v| v); }
// CALL: repeated_range(k=3, x=[10, 20, 30], y=zeros:9)
// EXPECT: y = [10, 10, 10, 20, 20, 20, 30, 30, 30]
// CALL: strided_range(k=3, x=iota:100)
// EXPECT: result = sum(x[::3])
// CALL: tiled_range(k=2, x=[10, 20, 30], y=zeros:6)
// EXPECT: y = [10, 20, 30, 10, 20, 30]

// ---- run_length_encoding ----
algorithm encode(n: u64, x: in u8[n], y: out u8[n], lengths: out u32[n]) -> u64 = run_length_encode(x, y, lengths);
// CALL: encode(x=[7, 7, 7, 8, 9, 9, 7], y=zeros:7, lengths=zeros:7)
// EXPECT: result = 4
// EXPECT: y = [7, 8, 9, 7, 0, 0, 0]
// EXPECT: lengths = [3, 1, 2, 1, 0, 0, 0]

// ---- scan_by_key, scan_matrix_by_rows: a row is a key that is computed ----
algorithm by_key(n: u64, keys: in i32[n], x: in i32[n], y: out i32[n], z: out i32[n]) {
    inclusive_scan_by_key(keys, x, y, +);
    exclusive_scan_by_key(keys, x, z, +, 5);
}
algorithm matrix_by_rows(rows: u64, columns: u64, x: in i32[rows * columns], y: out i32[rows * columns]) {
    inclusive_scan_by_key(tabulate(|i| i / columns).take(rows * columns), x, y, +);
}
// CALL: by_key(keys=[0, 0, 0, 1, 1, 2, 3, 3, 3, 3], x=ones:10)
// EXPECT: y = [1, 2, 3, 1, 2, 1, 1, 2, 3, 4]
// EXPECT: z = [5, 6, 7, 5, 6, 5, 5, 6, 7, 8]
// CALL: matrix_by_rows(rows=7, columns=9, x=rand:63)
// EXPECT: y = cumsum(x.reshape(7, 9), axis=1).reshape(63)

// ---- simple_moving_average: by differences of a scan ----
algorithm moving_average(n: u64, w: u64, x: in f64[n], y: out f64[n - w + 1]) {
    scratch sums: f64[n + 1];
    exclusive_scan(x, sums.take(n), +, 0.0f64);
    inclusive_scan(x, sums.drop(1), +);
    transform(zip(sums.drop(w), sums), y, |p| (p[0] - p[1]) / f64(w));
}
// CALL: moving_average(n=30, w=4, x=rand:30, y=zeros:27)
// EXPECT: y = [mean(x[i:i + 4]) for i in range(27)]
// TOLERANCE: 1e-9

// ---- sparse_vector: the sum of two, as pairs of place and value ----
algorithm sparse_vector(n: u64, m: u64, at_a: in u32[n], a: in f32[n], at_b: in u32[m], b: in f32[m], at: out u32[n + m], y: out f32[n + m]) -> u64 {
    scratch places: u32[n + m];
    scratch values: f32[n + m];
    merge(zip(at_a, a), zip(at_b, b), zip(places, values), |p, q| p[0] < q[0]);
    return reduce_by_key(places, values, +, at, y);
}
// CALL: sparse_vector(n=3, m=4, at_a=[2, 5, 9], a=[1, 2, 3], at_b=[0, 5, 7, 9], b=[10, 20, 30, 40], at=zeros:7, y=zeros:7)
// EXPECT: result = 5
// EXPECT: at = [0, 2, 5, 7, 9, 0, 0]
// EXPECT: y = [10, 1, 22, 30, 43, 0, 0]

// ---- stream_compaction ----
algorithm compaction(n: u64, x: in i32[n], y: out i32[n]) -> u64 = select(x, |v| v % 2 == 1, y);
// CALL: compaction(x=iota:100)
// EXPECT: result = 50
// EXPECT: y[:50] = 2 * arange(50) + 1

// ---- summed_area_table: scans of rows, then of columns ----
algorithm summed_area_table(h: u64, w: u64, x: in i32[h * w], y: inout i32[h * w]) {
    scratch t: i32[h * w];
    inclusive_scan_by_key(tabulate(|i| i / w).take(h * w), x, t, +);
    let across = tabulate(|i| i % h * w + i / h).take(h * w);
    inclusive_scan_by_key(tabulate(|i| i / h).take(h * w), t.gather(across), y.scatter(across), +);
}
// CALL: summed_area_table(h=5, w=7, x=rand:35, y=zeros:35)
// EXPECT: y = cumsum(cumsum(x.reshape(5, 7), axis=0), axis=1).reshape(35)
