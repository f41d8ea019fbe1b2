kernel k(n: u32, x: in f32[n], y: out f32[n]) launch(block = 256, grid = ceil_div(n, 256))
{
    let i = u32(grid.thread_rank);
    let f = lambda v: v * 2;
    y[i] = f(x[i]);
}
