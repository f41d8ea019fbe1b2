// A selection keeps the order, and says how many there are; later steps use what it wrote.
// RUN: %run-test %s
algorithm odd_sorted(n: u64, x: in i32[n], y: out i32[n]) -> u64 { let k = grid.select(x, |v| v & 1 == 1, y); grid.radix_sort(y.take(k)); return k; }
algorithm where_large(n: u64, x: in f32[n], at: out u64[n]) -> (u64, u64) {
    let k = grid.select(x.enumerate(), |p| p[1] > 0.5, at.map_store(|p| p[0]));
    if (k == 0) return (0, 7);
    return (k, grid.reduce(at.take(k), max, 0) + grid.reduce(at.take(k).map(|i| select(i > 3, 1u64, 0u64)), +, 0));
}
// FOR: n in 0, 1, 2, 255, 3000
// CALL: odd_sorted(x=rand:n:3:-1000..1000)
// EXPECT: y = np.concatenate([np.sort([v for v in x if v % 2 == 1]), [0] * (x % 2 == 0).sum()])
// EXPECT: result = (x % 2 == 1).sum()
// CALL: odd_sorted(x=rand:5000:3:-1000..1000) --grid=7
// EXPECT: y = np.concatenate([np.sort([v for v in x if v % 2 == 1]), [0] * (x % 2 == 0).sum()])
// EXPECT: result = (x % 2 == 1).sum()
// FOR: n in 0, 1, 3000
// CALL: where_large(x=rand:n) --grid=3
// EXPECT: at = [i for i in range(n) if x[i] > 0.5] + [0] * (x <= 0.5).sum()
// EXPECT: result = [(x > 0.5).sum(), max(i for i in range(n) if x[i] > 0.5) + sum(1 for i in range(4, n) if x[i] > 0.5)] if (x > 0.5).any() else [0, 7]
