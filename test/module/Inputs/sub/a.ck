import "../b.ck";
const TILE: u32 = 4;
fn _p(x: f32) -> f32 = half(x) * 4;
fn twice(x: f32) -> f32 = _p(x);
kernel scale(n: u64, x: inout f32[n]) launch(block = 256, grid = ceil_div(n, 256))
{
  let i = grid.thread_rank;
  if (i < n) x[i] = twice(x[i]);
}
kernel other<const N: u32 = 8>(x: inout f32[N]) launch(block = N, grid = 1) { x[thread.x] = 7; }
