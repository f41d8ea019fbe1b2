kernel set(n: u64, x: out f32[n]) launch(block = 64, grid = ceil_div(n, 64))
{
  let i = grid.thread_rank;
  if (i < n) x[i] = 3;
}
