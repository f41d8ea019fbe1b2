// RUN: %run-test %s
// A launch that leaves out block and grid has those of the kernel's own launch contract, with its
// arguments for the kernel's parameters, by place or by name.
const TILE: u32 = 64;
kernel scale(x: in f32[], y: out f32[], by: f32, rows: u64) launch(block = TILE, grid = ceil_div(rows, u64(TILE)))
{
    let i = grid.thread_rank;
    if (i < rows) y[i] = x[i] * by * f32(block.size) * f32(grid.size / block.size);
}
kernel fill<const N: u32>(n: u64, y: out u32[]) launch(block = N, grid = (ceil_div(n, u64(N)), 2))
{
    y[grid.thread_rank % n] = block.size;
}
algorithm all(m: u32, x: in f32[], y: out f32[], z: out u32[]) {
    scratch w: f32[x.len];
    launch scale(x, w, 2.0, rows = x.len);
    launch scale(x = w, y = y, by = 2.0, rows = u64(m) + 0);
    launch fill<32>(z.len, z);
}
// CALL: all(m=128, x=ones:128, y=zeros:128, z=zeros:40)
// EXPECT: y = 65536
// EXPECT: z = 32
