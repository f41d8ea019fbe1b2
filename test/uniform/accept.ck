// Conditions that are the same in the group may decide about its operations.
// RUN: %ckc %s --stop-after=uniform
fn guarded(n: u32) { if (n > 0) block.sync(); }
kernel k(n: u32, x: in f32[n], y: inout f32[n]) launch(block = (32, 8), grid = n)
{
    shared s: f32[8];
    if (n > 3 && x[block.id.x] > 0) block.sync();
    for (i in 0..n) { if (x[i] < 0) break; block.sync(); }
    guarded(n);
    if (s[2] > 1) block.sync();
    if (grid.uniform(s[2] > 1)) grid.sync();
    if (block.uniform(y[thread.x] > 1)) block.sync();
    if (thread.y == 0) { y[0] = warp.sum(x[thread.x]); }
    var m = x[thread.x];
    m = warp.max(m);
    while (m > 1) { m = m / 2; warp.sync(); }
    let t = warp.tile<8>;
    if (t.index == 1 && t.any(x[thread.x] > 0)) t.sync();
    if (warp.rank == 0) t.sync();
    block.sync();
    if (thread.rank >= n) return;
    for (i in block.stride(n)) y[i] = 1;
}
