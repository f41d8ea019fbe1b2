// Block and warp primitives in loops whose counts are known in the launch alone, each on what the one
// before left, and on the same shared memory each time.
// REQUIRES: ckc, host
// RUN: %run-test %s
// FOR: n in 0, 1, 5
// FOR: m in 1, 3
// CALL: steps(n=n, m=m, y=iota:192)
// EXPECT: y = [v := arange(192), *[v := (cumsum(s) - s + concatenate([s[-1:], s[:-1]])) % 1009 for i in range(n * m) for s in [(sort(v)[::-1] * 7 + v.max()) % 1009]]][-1]
// CALL: steps(n=4, m=2, y=iota:192) -check
// EXPECT: y = [v := arange(192), *[v := (cumsum(s) - s + concatenate([s[-1:], s[:-1]])) % 1009 for i in range(8) for s in [(sort(v)[::-1] * 7 + v.max()) % 1009]]][-1]
kernel steps(n: u32, m: u32, y: inout u32[192]) launch(block = 64, grid = 1)
{
    var v = block.load(y, 0, 3);
    for (i in 0..n) {
        for (j in 0..m) {
            let most = block.reduce(v, max);
            var s = block.radix_sort(v, descending = true);
            unroll for (k in 0..3) s[k] = (s[k] * 7 + most) % 1009;
            let before = block.exclusive_scan(s, +);
            let moved = block.shuffle_up(s, before = block.shuffle(s[2], 63));
            unroll for (k in 0..3) v[k] = (before[k] + moved[k]) % 1009;
        }
    }
    block.store(y, 0, v);
}
