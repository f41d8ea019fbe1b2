// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// group_by.ck - sum, mean and count of the values of each key. The keys aren't sorted: a radix sort of
// pairs brings equal keys together, and a reduction by key adds up structs.
// CALL: group_by(keys=[7, 2, 7, 2, 7], values=[1, 2, 3, 4, 5], groups=zeros:5, sums=zeros:5, means=zeros:5, counts=zeros:5)
// EXPECT: result = 2
// EXPECT: groups = [2, 7, 0, 0, 0]
// EXPECT: sums = [6, 9, 0, 0, 0]
// EXPECT: means = [3, 3, 0, 0, 0]
// EXPECT: counts = [2, 3, 0, 0, 0]
// FOR: n in 0, 10, 9000
// CALL: group_by(keys=arange(n) * 7 % 10, values=arange(n) * 7 % 10, groups=zeros:n, sums=zeros:n, means=zeros:n, counts=zeros:n)
// EXPECT: result = min(n, 10)
// EXPECT: sums = where(arange(n) < 10, arange(n) * (n // 10), 0)
// EXPECT: means = where(arange(n) < 10, arange(n), 0)
// EXPECT: counts = where(arange(n) < 10, n // 10, 0)

struct Total { sum: f32; count: u32; }

algorithm group_by(n: u64, keys: in u32[n], values: in f32[n], groups: out u32[n], sums: out f32[n], means: out f32[n], counts: out u32[n]) -> u64 {
    scratch sorted: u32[n];
    scratch beside: f32[n];
    radix_sort(keys, values, to = sorted, to_values = beside);
    let totals = zip(sums, means, counts).map_store(|t| (t.sum, t.sum / f32(t.count), t.count));
    return reduce_by_key(sorted, beside.map(|v| Total(v, 1)), |a, b| Total(a.sum + b.sum, a.count + b.count), groups, totals);
}
