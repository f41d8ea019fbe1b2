// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// compute_steps.ck - cuda.compute's other examples, by name: segmented, select, partition, sort, transform, unique,
// histogram, binary_search, raw_op.

algorithm segmented_reduce_basic(n: u64, m: u64, x: in i32[n], at: in i64[m + 1], y: out i32[m]) { segmented_reduce(x, at, y, min, 2147483647); }
// CALL: segmented_reduce_basic(m=3, x=[8, 6, 7, 5, 3, 0, 9], at=[0, 3, 3, 7])
// EXPECT: y = [6, 2147483647, 0]

// ---- select: basic, with_iterator, with_side_effect ----
algorithm select_basic(n: u64, x: in i32[n], y: out i32[n]) -> u64 = select(x, |v| v % 2 == 0, y);
algorithm select_with_iterator(n: u64, y: out i32[n]) -> u64 = select(count<i32>(0).take(n).map(|v| v * v), |v| v % 3 == 1, y);
algorithm select_with_side_effect(n: u64, x: in i32[n], y: out i32[n], rejected: inout u32[1]) -> u64 =
    select(x.map(|v| v), |v| accept(v, rejected), y);
fn accept(v: i32, rejected: inout u32[]) -> bool {
    if (v < 50) atomic.add(rejected[0], 1);
    return v >= 50;
}
// CALL: select_basic(x=[1, 2, 3, 4, 5, 6, 7, 8])
// EXPECT: result = 4
// EXPECT: y[:4] = [2, 4, 6, 8]
// CALL: select_with_iterator(n=10)
// EXPECT: result = 6
// EXPECT: y[:6] = [1, 4, 16, 25, 49, 64]
// CALL: select_with_side_effect(x=iota:100, rejected=[0])
// EXPECT: result = 50
// EXPECT: y[:50] = arange(50, 100)
// EXPECT: rejected = 50

algorithm three_way_partition(n: u64, x: in i32[n], low: out i32[n], high: out i32[n], rest: out i32[n]) -> (u64, u64) =
    partition(x, |v| v < 8, |v| v >= 12, low, high, rest);
// CALL: three_way_partition(x=[0, 2, 9, 1, 5, 6, 7, 14, 11, 20])
// EXPECT: result = (6, 2)
// EXPECT: low[:6] = [0, 2, 1, 5, 6, 7]
// EXPECT: high[:2] = [14, 20]
// EXPECT: rest[:2] = [9, 11]

// ---- sort: merge_sort, radix_sort (basic, buffer), segmented_sort (basic, buffer) ----
algorithm merge_sort_basic(n: u64, k: inout i32[n], v: inout f32[n]) { merge_sort(zip(k, v), |a, b| a[0] < b[0]); }
algorithm radix_sort_basic(n: u64, k: in i32[n], v: in f32[n], to: out i32[n], w: out f32[n]) { radix_sort(k, v, to = to, to_values = w); }
algorithm radix_sort_buffer(n: u64, k: inout i32[n], v: inout f32[n]) { radix_sort(k, v, descending = true); }
algorithm segmented_sort_basic(n: u64, m: u64, k: inout i32[n], v: inout i32[n], at: in i64[m + 1]) {
    segmented_sort(zip(k, v), at, |a, b| a[0] < b[0]);
}
// CALL: merge_sort_basic(k=[-5, 0, 2, -3, 2, 4, 0, -1, 2, 8], v=[-3.2, 2.2, 1.9, 4, -3.9, 2.7, 0, 8.3 - 1, 2.9, 5.4])
// EXPECT: k = sort(k)
// EXPECT: v = v[argsort(k)]
// CALL: radix_sort_basic(k=[-5, 0, 2, -3, 2, 4, 0, -1, 2, 8], v=iota:10)
// EXPECT: to = sort(k)
// EXPECT: w = argsort(k)
// CALL: radix_sort_buffer(k=rand:500, v=iota:500)
// EXPECT: v = argsort(-k)
// CALL: segmented_sort_basic(m=3, k=[9, 1, 5, 4, 2, 8, 7, 3, 6], v=iota:9, at=[0, 3, 5, 9])
// EXPECT: k = [1, 5, 9, 2, 4, 3, 6, 7, 8]
// EXPECT: v = [1, 2, 0, 4, 3, 7, 8, 6, 5]

algorithm unary_transform(n: u64, x: in i32[n], y: out i32[n]) { transform(x, y, |v| v + 1); }
algorithm binary_transform(n: u64, x: in i32[n], y: in i32[n], z: out i32[n]) { transform(zip(x, y), z, |p| p[0] + p[1]); }
// CALL: unary_transform(x=[1, 2, 3, 4])
// EXPECT: y = [2, 3, 4, 5]
// CALL: binary_transform(x=[1, 2, 3], y=[4, 5, 6])
// EXPECT: z = [5, 7, 9]

algorithm unique_by_key_basic(n: u64, k: in i32[n], v: in i32[n], to: out i32[n], w: out i32[n]) -> u64 = unique_by_key(k, v, to, w);
// CALL: unique_by_key_basic(k=[0, 2, 2, 9, 5, 5, 5, 8], v=[1, 2, 3, 4, 5, 6, 7, 8])
// EXPECT: result = 5
// EXPECT: to[:5] = [0, 2, 9, 5, 8]
// EXPECT: w[:5] = [1, 2, 4, 5, 8]

algorithm histogram_even(n: u64, x: in f32[n], counts: out u32[6]) { histogram(x, counts, 0.0, 12.0); }
// CALL: histogram_even(x=[2.2, 6, 7.5, 2.9, 3.5, 0.3, 2.9, 2, 6.1, 999.5])
// EXPECT: counts = [1, 5, 0, 3, 0, 0]

algorithm lower_bound_basic(n: u64, m: u64, x: in i32[n], v: in i32[m], y: out u64[m]) { transform(v, y, |a| lower_bound(x, a)); }
algorithm upper_bound_basic(n: u64, m: u64, x: in i32[n], v: in i32[m], y: out u64[m]) { transform(v, y, |a| upper_bound(x, a)); }
// CALL: lower_bound_basic(x=[1, 3, 3, 5, 7], v=[0, 3, 4, 9])
// EXPECT: y = [0, 1, 3, 5]
// CALL: upper_bound_basic(x=[1, 3, 3, 5, 7], v=[0, 3, 4, 9])
// EXPECT: y = [0, 3, 3, 5]

// ---- raw_op: an operator with a state on the device, which it counts up ----
fn counted(v: i32, calls: inout u32[]) -> i32 { atomic.add(calls[0], 1); return 2 * v; }
algorithm stateful(n: u64, x: in i32[n], y: out i32[n], calls: inout u32[1]) { transform(x.map(|v| v), y, |v| counted(v, calls)); }
// CALL: stateful(x=iota:1000, calls=[0])
// EXPECT: y = 2 * x
// EXPECT: calls = 1000
