import "factor.ck";
@require(sm >= 75) kernel twice<T: type>(n: u64, x: inout T[n]) launch(block = 64, grid = ceil_div(n, 64))
{
  let i = grid.thread_rank;
  if (i < n) x[i] = x[i] * T(FACTOR);
}
