// warp.active(): the lanes that are together reduce, scan and share; whatever they are, the sums are right.
// RUN: %run-test %s
// FOR: m in 1, 2, 3, 5, 31
// CALL: sums(m=m, x=arange(256), total=zeros:4, ranks=zeros:256)
// EXPECT: total = [sum(where(arange(256) % m == 0, arange(256), 0)), sum(where(arange(256) % m == 0, 1, 0)), sum(where(arange(256) % m == 0, arange(256), 0)), 0]
kernel sums(m: u32, x: in i32[256], total: inout i32[4], ranks: inout i32[256])
    launch(block = 256, grid = 1)
{
    let v = x[thread.x];
    if (thread.x % m == 0) {
        let g = warp.active();
        let (sum, wide, all) = (g.reduce(v, +), g.reduce(i64(v), |a, b| a + b), g.inclusive_scan(v, +));
        let last = g.broadcast(all, g.size - 1);        // of the whole group
        let before = g.exclusive_scan(v, +, 0);
        let least = g.reduce(v, min);
        if (g.elect()) {
            atomic.add(total[0], sum);
            atomic.add(total[1], i32(g.size));
            atomic.add(total[2], last);
        }
        // What must hold in any group.
        let is_good = i64(sum) == wide && before + v == all && g.shuffle(v, g.rank) == v && g.all(least <= v)
            && g.ballot(true) == g.mask && g.count(g.rank == 0) == 1 && !g.any(g.rank >= g.size)
            && g.shuffle_down(g.shuffle_up(v, 0), 0) == v && g.shuffle_up(g.rank, 1) == (g.rank == 0 ? 0 : g.rank - 1);
        g.sync();
        if (!is_good) atomic.add(total[3], 1);
    }
}
