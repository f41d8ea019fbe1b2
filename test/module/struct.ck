// A struct of an imported file: its constructor, methods, operators, and functions called as methods.
// RUN: %ckc run %s k x=ones:3 --device=host --print=x | FileCheck %s
import "Inputs/pair.ck";
fn Pair.twice -> f32 = 2 * self.sum;
kernel k(x: inout f32[3]) launch(block = 1, grid = 1)
{
  let p = Pair(x[0], 2) + Pair(3, 4);
  x[0] = p.sum; x[1] = p.swapped().x; x[2] = p.twice;
}
// CHECK: x = [10, 6, 20]
