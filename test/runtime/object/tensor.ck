// tensor.ck - kernels that take arrays of every kind of element and extent, for tensor.c.
struct Pair { lo: f32; hi: i32; }

kernel saxpy(n: u64, a: f32, x: in f32[n], y: inout f32[n]) launch(block = 64, grid = ceil_div(n, 64))
{
    let i = grid.thread_rank;
    if (i < n) y[i] = a * x[i] + y[i];
}
kernel rows(r: u32, n: u32, x: in f32[r, n], y: out f32[r]) launch(block = 1, grid = r)
{
    var s = 0.0;
    for (i in 0..n) s += x[block.id.x, i];
    y[block.id.x] = s;
}
kernel matrices(count: u64, m: in f32[count * 4 * 4], y: out f32[count]) launch(block = 1, grid = count)
{
    y[block.id.x] = m[u64(block.id.x) * 16];
}
kernel vectors(n: u64, x: in f32x4[n], y: out f32[n]) launch(block = 1, grid = n)
{
    y[block.id.x] = x[block.id.x].w;
}
kernel pairs(n: u64, x: in Pair[n], y: out bf16[n]) launch(block = 1, grid = n)
{
    y[block.id.x] = bf16(x[block.id.x].lo + f32(x[block.id.x].hi));
}
kernel open(x: in i32[], y: out i32[1]) launch(block = 1, grid = 1)
{
    y[0] = i32(x.len);
}
