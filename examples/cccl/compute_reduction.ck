// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// compute_reduction.ck - cuda.compute's examples of reductions, by name: reduction/*, struct/*, iterator/*.

// ---- reduction: sum_reduction, min_reduction, minmax_reduction, sum_custom_reduction, sum_reduction_lambda ----
algorithm sum_reduction(n: u64, x: in i32[n]) -> i32 = reduce(x, +, 0);
algorithm min_reduction(n: u64, x: in i32[n]) -> i32 = reduce(x, min, 2147483647);
struct MinMax { least: f64; greatest: f64; }
algorithm minmax_reduction(n: u64, x: in f64[n]) -> MinMax =
    reduce(x.map(|v| MinMax(abs(v), abs(v))), |a, b| MinMax(min(a.least, b.least), max(a.greatest, b.greatest)), MinMax(inf, -inf));
fn add_even(a: i32, b: i32) -> i32 = (a % 2 == 0 ? a : 0) + (b % 2 == 0 ? b : 0);
algorithm sum_custom_reduction(n: u64, x: in i32[n]) -> i32 = reduce(x, add_even, 0);
algorithm sum_reduction_lambda(n: u64, x: in i32[n]) -> i32 = reduce(x, |a, b| a + b, 0);
// CALL: sum_reduction(x=rand:1000)
// EXPECT: result = sum(x)
// CALL: min_reduction(x=rand:1000)
// EXPECT: result = min(x)
// CALL: minmax_reduction(x=rand:1000)
// EXPECT: result = {least: min(abs(x)), greatest: max(abs(x))}
// CALL: sum_custom_reduction(x=iota:101)
// EXPECT: result = sum(arange(0, 101, 2))
// CALL: sum_reduction_lambda(x=rand:1000)
// EXPECT: result = sum(x)

// ---- struct: struct_reduction, struct_transform, nested_struct_reduction, nested_struct_tuple_construction,
// nested_struct_zip_iterator ----
struct Pixel { r: i32; g: i32; b: i32; }
algorithm max_green(n: u64, x: in Pixel[n]) -> Pixel = reduce(x, |a, b| b.g > a.g ? b : a, Pixel(0, 0, 0));
struct Point { x: f32; y: f32; }
struct Particle { at: Point; mass: f32; }
algorithm struct_transform(n: u64, p: in Point[n], y: out Point[n]) { transform(p, y, |v| Point(v.x * 2, v.y + 1)); }
algorithm nested_reduction(n: u64, p: in Particle[n]) -> Particle =
    reduce(p, |a, b| Particle(Point(a.at.x + b.at.x, a.at.y + b.at.y), a.mass + b.mass), Particle(Point(0, 0), 0));
algorithm nested_construction(n: u64, x: in f32[n], y: in f32[n], m: in f32[n], p: out Particle[n]) {
    transform(zip(x, y, m), p, |v| Particle(Point(v[0], v[1]), v[2]));
}
algorithm nested_zip(n: u64, p: in Point[n], m: in f32[n]) -> f32 = reduce(zip(p, m).map(|v| v[0].x * v[1]), +, 0.0);
// CALL: max_green(x=[{r: 1, g: 5, b: 2}, {r: 9, g: 7, b: 1}, {r: 3, g: 6, b: 8}])
// EXPECT: result = {r: 9, g: 7, b: 1}
// CALL: struct_transform(p=[{x: 1, y: 2}, {x: 3, y: 4}])
// EXPECT: y = [{x: 2, y: 3}, {x: 6, y: 5}]
// CALL: nested_reduction(p=[{at: (1, 2), mass: 3}, {at: (4, 5), mass: 6}])
// EXPECT: result = {at: {x: 5, y: 7}, mass: 9}
// CALL: nested_construction(x=[1, 2], y=[3, 4], m=[5, 6])
// EXPECT: p = [{at: (1, 3), mass: 5}, {at: (2, 4), mass: 6}]
// CALL: nested_zip(p=[{x: 1, y: 2}, {x: 3, y: 4}], m=[10, 20])
// EXPECT: result = 70

// ---- iterator: counting, constant, cache_modified, discard, permutation, reverse, shuffle, transform, zip ----
algorithm counting(n: u64) -> i32 = reduce(count<i32>(10).take(n), +, 0);
algorithm constants(n: u64) -> i32 = reduce(constant(10).take(n), +, 0);
algorithm cache_modified(n: u64, x: in i32[n]) -> i32 = reduce(x.cached(cache = streaming), +, 0);
algorithm discarded(n: u64, k: in i32[n], x: in i32[n], y: out i32[n]) -> u64 = unique_by_key(k, x, y, discard<i32>());
algorithm permutation(n: u64, m: u64, x: in i32[n], at: in i32[m]) -> i32 = reduce(x.gather(at), +, 0);
algorithm permutation_transform(n: u64, m: u64, x: in i32[n], at: in i32[m]) -> i32 = reduce(x.map(|v| v * v).gather(at), +, 0);
algorithm permutation_output(n: u64, x: in i32[n], at: in i32[n], y: out i32[n]) { transform(x, y.scatter(at), |v| v); }
algorithm reverse_input(n: u64, x: in i32[n], y: out i32[n]) { inclusive_scan(x.reverse(), y, +); }
algorithm reverse_output(n: u64, x: in i32[n], y: out i32[n]) { inclusive_scan(x, y.reverse(), +); }
algorithm shuffled(n: u64, x: in i32[n], y: out i32[n]) { transform(x.gather(shuffle(n, 42)), y, |v| v); merge_sort(y, <); }
algorithm transform_output(n: u64, x: in f32[n], y: out f32[n]) { inclusive_scan(x, y.map_store(|v| sqrt(v)), +); }
algorithm zip_counting(n: u64, x: in i32[n]) -> (i32, u64) = reduce(zip(x, count()), |a, b| b[0] > a[0] ? b : a, (-2147483647, 0u64));
algorithm zip_elementwise(n: u64, x: in i32[n], y: in i32[n], z: out i32[n]) { transform(zip(x, y), z, |p| p[0] + p[1]); }
// CALL: counting(n=10)
// EXPECT: result = sum(arange(10, 20))
// CALL: constants(n=7)
// EXPECT: result = 70
// CALL: cache_modified(x=rand:1000)
// EXPECT: result = sum(x)
// CALL: discarded(k=[1, 1, 2, 2, 2, 3], x=iota:6)
// EXPECT: result = 3
// EXPECT: y[:3] = [1, 2, 3]
// CALL: permutation(x=[10, 20, 30, 40, 50], at=[2, 0, 4])
// EXPECT: result = 90
// CALL: permutation_transform(x=[1, 2, 3, 4], at=[3, 1])
// EXPECT: result = 20
// CALL: permutation_output(x=[1, 2, 3, 4], at=[2, 0, 3, 1])
// EXPECT: y = [2, 4, 1, 3]
// CALL: reverse_input(x=[1, 2, 3])
// EXPECT: y = [3, 5, 6]
// CALL: reverse_output(x=[1, 2, 3])
// EXPECT: y = [6, 3, 1]
// CALL: shuffled(x=iota:1000)
// EXPECT: y = x
// CALL: transform_output(x=[1, 3, 5, 7])
// EXPECT: y = [1, 2, 3, 4]
// CALL: zip_counting(x=rand:1000)
// EXPECT: result = (max(x), argsort(-x)[0])
// CALL: zip_elementwise(x=rand:100:1, y=rand:100:2)
// EXPECT: z = x + y
