// lower_bound, upper_bound: where a value stands in a span, a shared array, an array, an iterator.
// REQUIRES: ckc, host
// RUN: %run-test %s
struct Item { key: i32; name: u32; }
// CALL: search(x=[1, 3, 3, 3, 7, 9.5], v=[0, 1, 2, 3, 3.5, 9.5, 10], at=zeros:7x8)
// EXPECT: at = [[(x < q).sum(), (x <= q).sum(), sum(i // 3 < q for i in range(8192)), sum(i // 3 <= q for i in range(8192)), sum(-i > -q for i in range(20)), sum(-i >= -q for i in range(20)), sum(i * i < q for i in range(100)), 0] for q in v]
kernel search(n: u32, m: u32, x: in f32[n], v: in f32[m], at: out u64[m, 8]) launch(block = 32, grid = 1)
{
    shared all: f32[8192];
    for (i in block.stride(8192u32)) all[i] = f32(i / 3);
    block.sync();
    var items: Item[20];
    for (i in 0..20) items[i] = Item(-i, 5);
    if (thread.rank >= m) return;
    let (t, q) = (thread.rank, v[thread.rank]);
    (at[t, 0], at[t, 1]) = (lower_bound(x, q), upper_bound(x, q, <));
    (at[t, 2], at[t, 3]) = (lower_bound(all, q), upper_bound(all[0..8192], q));
    at[t, 4] = lower_bound(items, -q, |a, b| f32(a.key) > b);
    at[t, 5] = upper_bound(items, -q, |a, b| a > f32(b.key));
    at[t, 6] = lower_bound(count<u32>().map(|i| f32(i * i)).take(100), q);
    at[t, 7] = lower_bound(x, 1) + upper_bound(x[0..0], 1);
}
