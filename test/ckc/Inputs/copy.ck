kernel copy<T: number = f32>(n: u64, x: in T[n], y: out T[n])
    launch(block = 32, grid = ceil_div(n, 32))
{
    let i = grid.thread_rank;
    if (i < n) y[i] = x[i];
}
