// Scratch memory is one for the grid, for the time of the launch; functions have their own.
// RUN: %run-test %s
fn turned(v: u32, at: u64, n: u64) -> u32 {
    scratch all: u32[n];
    all[at] = v;
    grid.sync();
    return all[n - 1 - at];
}
kernel k(n: u64, x: in u32[n], y: out u32[n], lens: out u64[2]) launch(block = 32, grid = ceil_div(n, 32))
{
    scratch rows: u32[grid.dim.x, block.dim.x];
    scratch none: u8[0];
    let i = grid.thread_rank;
    let v = i < n ? x[i] : 0;
    rows[block.id.x, thread.x] = v;
    let size = u64(grid.size);
    grid.sync();
    let next = rows[(block.id.x + 1) % grid.dim.x, 31 - thread.x];
    let w = turned(v, i, u64(block.dim.x) * u64(grid.dim.x)) + 2 * turned(next, i, u64(32 * grid.dim.x));
    if (i < n) y[i] = w;
    if (i == 0) { lens[0] = rows.len; lens[1] = none.len; }
}
// FOR: n in 1, 32, 100
// CALL: k(n=n, x=iota:n, y=zeros:n, lens=zeros:2)
// EXPECT: y = [where(i < n, i, 0) + 2 * where(j < n, j, 0) for g in [-(-n // 32)] for k in range(n) for i in [32 * g - 1 - k] for j in [(g - k // 32) % g * 32 + k % 32]]
// EXPECT: lens = [(n + 31) // 32 * 32, 0]
