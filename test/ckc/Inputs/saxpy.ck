kernel saxpy(n: u64, a: f32, x: in f32[n], y: in f32[n], z: out f32[n])
    launch(block = 256, grid = ceil_div(n, 256))
{
    let i = grid.thread_rank;
    if (i < n) z[i] = a * x[i] + y[i];
}
