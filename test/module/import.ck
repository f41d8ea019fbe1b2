// Items of an imported file are there by name, a file once however it is reached.
// RUN: %ckc run %s k x=ones:4 --device=host --print=x | FileCheck %s
// RUN: %ckc run %s k x=ones:4 --device=host --print=x -D TILE=8 | FileCheck %s --check-prefix=TILE8
import "Inputs/sub/a.ck";
import "Inputs/../Inputs/b.ck";
kernel k(n: u64, x: inout f32[n]) launch(block = 256, grid = ceil_div(n, 256))
{
  let i = grid.thread_rank;
  if (i < n) x[i] = twice(x[i]) + half(x[i]) + f32(TILE);
}
// CHECK: x = [6.5, 6.5, 6.5, 6.5]
// TILE8: x = [10.5, 10.5, 10.5, 10.5]
