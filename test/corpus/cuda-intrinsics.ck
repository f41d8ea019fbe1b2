kernel k(n: u32, x: in f32[n], y: out f32[n]) launch(block = 256, grid = ceil_div(n, 256))
{
    let i = u32(grid.thread_rank);
    y[i] = __fmaf_rn(x[i], 2.0, 1.0) + rsqrtf(x[i]) + __fdividef(x[i], 3.0);
}
