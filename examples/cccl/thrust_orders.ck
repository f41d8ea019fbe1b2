// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thrust_orders.ck - Thrust's examples of sorted sequences and counts: histogram, lexicographical_sort, mode,
// set_operations, sorting_aos_vs_soa, word_count.

// ---- histogram: dense by a search in the sorted data, sparse by a reduction of its runs ----
algorithm dense_histogram(n: u64, bins: u64, x: inout u32[n], counts: out u32[bins]) {
    radix_sort(x);
    transform(count<u32>().take(bins), counts, |b| u32(upper_bound(x, b) - lower_bound(x, b)));
}
algorithm sparse_histogram(n: u64, x: inout u32[n], values: out u32[n], counts: out u32[n]) -> u64 {
    radix_sort(x);
    return reduce_by_key(x, constant(1u32), +, values, counts);
}
// CALL: dense_histogram(bins=10, x=[2, 1, 0, 1, 2, 9, 2, 2], counts=zeros:10)
// EXPECT: counts = [1, 2, 4, 0, 0, 0, 0, 0, 0, 1]
// CALL: sparse_histogram(x=[2, 1, 0, 1, 2, 9, 2, 2], values=zeros:8, counts=zeros:8)
// EXPECT: result = 4
// EXPECT: values[:4] = [0, 1, 2, 9]
// EXPECT: counts[:4] = [1, 2, 4, 1]

// ---- lexicographical_sort: by several arrays, the most important one last ----
algorithm lexicographical_sort(n: u64, upper: in i32[n], middle: in i32[n], lower: in i32[n], order: inout u32[n]) {
    scratch keys: i32[n];
    scratch other: u32[n];
    radix_sort(lower, count<u32>(), to = keys, to_values = other);
    radix_sort(middle.gather(other), other, to = keys, to_values = order);
    transform(order, other, |v| v);
    radix_sort(upper.gather(other), other, to = keys, to_values = order);
}
// CALL: lexicographical_sort(upper=rand:500:1:0..3, middle=rand:500:2:0..3, lower=rand:500:3:0..9, order=zeros:500)
// EXPECT: order = argsort(upper * 100 + middle * 10 + lower)

// ---- mode: the most frequent value ----
algorithm mode(n: u64, x: in u32[n]) -> (u32, u32) {
    scratch sorted: u32[n];
    scratch values: u32[n];
    scratch counts: u32[n];
    radix_sort(x, to = sorted);
    let k = run_length_encode(sorted, values, counts);
    let (most, at) = argmax(counts.take(k));
    return (values[at], most);
}
// CALL: mode(x=[1, 5, 3, 5, 2, 3, 5, 9])
// EXPECT: result = (5, 3)

// ---- set_operations, with repeated elements ----
algorithm unions(n: u64, m: u64, a: in i32[n], b: in i32[m], y: out i32[n + m]) -> u64 = set_union(a, b, y, <);
algorithm merges(n: u64, m: u64, a: in i32[n], b: in i32[m], y: out i32[n + m]) { merge(a, b, y, <); }
algorithm intersections(n: u64, m: u64, a: in i32[n], b: in i32[m], y: out i32[n]) -> u64 = set_intersection(a, b, y, <);
algorithm differences(n: u64, m: u64, a: in i32[n], b: in i32[m], y: out i32[n]) -> u64 = set_difference(a, b, y, <);
algorithm symmetric(n: u64, m: u64, a: in i32[n], b: in i32[m], y: out i32[n + m]) -> u64 = set_symmetric_difference(a, b, y, <);
// CALL: unions(n=8, m=5, a=[0, 2, 4, 5, 6, 8, 9, 9], b=[0, 1, 2, 3, 5], y=zeros:13)
// EXPECT: y = [0, 1, 2, 3, 4, 5, 6, 8, 9, 9, 0, 0, 0]
// EXPECT: result = 10
// CALL: merges(n=3, m=2, a=[0, 2, 4], b=[1, 2], y=zeros:5)
// EXPECT: y = [0, 1, 2, 2, 4]
// CALL: intersections(a=[0, 2, 4, 5, 6, 8, 9], b=[0, 1, 2, 3, 5, 7, 8], y=zeros:7)
// EXPECT: y = [0, 2, 5, 8, 0, 0, 0]
// CALL: differences(a=[0, 2, 4, 5, 6, 8, 9], b=[0, 1, 2, 3, 5, 7, 8], y=zeros:7)
// EXPECT: y = [4, 6, 9, 0, 0, 0, 0]
// CALL: symmetric(n=7, m=7, a=[0, 2, 4, 5, 6, 8, 9], b=[0, 1, 2, 3, 5, 7, 8], y=zeros:14)
// EXPECT: y = [1, 3, 4, 6, 7, 9, 0, 0, 0, 0, 0, 0, 0, 0]

// ---- sorting_aos_vs_soa: an array of structs by a field, and arrays beside each other ----
struct Record { key: i32; value: f32; }
algorithm of_structs(n: u64, x: inout Record[n]) { radix_sort(x, by = |r| r.key); }
algorithm of_arrays(n: u64, keys: inout i32[n], values: inout f32[n]) { radix_sort(keys, values); }
// CALL: of_structs(x=[{key: 3, value: 0.5}, {key: -1, value: 1.5}, {key: 2, value: 2.5}])
// EXPECT: x = [{key: -1, value: 1.5}, {key: 2, value: 2.5}, {key: 3, value: 0.5}]
// CALL: of_arrays(keys=rand:300, values=iota:300)
// EXPECT: keys = sort(keys)
// EXPECT: values = argsort(keys)

// ---- word_count: words begin where a letter follows what is none ----
fn is_letter(c: u8) -> bool = (c >= 97 && c <= 122) || (c >= 65 && c <= 90);
algorithm word_count(n: u64, text: in u8[n]) -> u64 =
    reduce(text.window<2>().map(|w| u64(!is_letter(w[0]) && is_letter(w[1]))), +, u64(is_letter(text[0])));
// CALL: word_count(text=[116, 111, 32, 98, 101, 44, 32, 111, 114, 32, 110, 111, 116, 33])
// EXPECT: result = 4
