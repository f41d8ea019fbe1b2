// Exchanges with the memory of one warp give what the others do; items of ranks below 0 go nowhere.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: turns<96,4>(n=384, y=zeros:384x8, z=zeros:384)
// EXPECT: y = [[1, 1, 1, 1, i, i, i if i < 100 else 0, i if i < 100 else 0] for i in range(n)]
// EXPECT: z = arange(n)
// CALL: turns<40,3>(n=120, y=zeros:120x8, z=zeros:120) -check
// EXPECT: y = [[1, 1, 1, 1, i, i, i if i < 100 else 0, i if i < 100 else 0] for i in range(n)]
// EXPECT: z = arange(n)
// CALL: turns<7,2>(n=14, y=zeros:14x8, z=zeros:14)
// EXPECT: y = [[1, 1, 1, 1] + [i] * 4 for i in range(n)]
// EXPECT: z = arange(n)
kernel turns<const B: u32, const N: u32>(n: u32, y: out u32[B * N, 8], z: out u32[B * N]) launch(block = B, grid = 1)
{
    let items = block.load<warp_transpose_timesliced>(count<u32>(), 0, N);
    block.store<warp_transpose_timesliced>(z, 0, items);
    let (a, b) = (block.exchange<blocked_to_striped>(items, timesliced = true), block.exchange<blocked_to_warp_striped>(items, timesliced = true));
    let (c, d) = (block.exchange<striped_to_blocked>(items, timesliced = true), block.exchange<warp_striped_to_blocked>(items, timesliced = true));
    var v: u32[N];
    var some: i32[N];
    for (k in 0..N) {
        v[k] = items[k] * 11 % n;
        some[k] = v[k] < 100 ? i32(v[k]) : -1 - i32(k);
    }
    let (e, f) = (block.exchange<scatter_to_blocked>(v, v, timesliced = true), block.exchange<scatter_to_striped>(v, v, timesliced = true));
    let (g, h) = (block.exchange<scatter_to_blocked>(v, some, timesliced = true), block.exchange<scatter_to_striped>(v, some));
    for (k in 0..N) {
        let (i, j) = (thread.rank * N + k, thread.rank + k * block.size);
        y[i, 0] = u32(a == block.exchange<blocked_to_striped>(items));
        y[i, 1] = u32(b == block.exchange<blocked_to_warp_striped>(items));
        y[i, 2] = u32(c == block.exchange<striped_to_blocked>(items));
        y[i, 3] = u32(d == block.exchange<warp_striped_to_blocked>(items));
        (y[i, 4], y[j, 5], y[i, 6], y[j, 7]) = (e[k], f[k], i < 100 ? g[k] : 0, j < 100 ? h[k] : 0);
    }
}
export turns<96, 4>, turns<40, 3>, turns<7, 2>;
