kernel k(n: u32, x: in f32[n], y: out f32[n]) launch(block = 256, grid = ceil_div(n, 256))
{
    let i = u32(grid.thread_rank);
    y[i] = std::min(x[i], 1.0);
}
