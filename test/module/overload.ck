// Functions of one name in several files are one set of overloads for those that see them.
// RUN: %ckc run %s k x=ones:1 --device=host --print=x | FileCheck %s
import "Inputs/b.ck";
fn half(x: i32) -> i32 = x / 2;
kernel k(x: inout f32[1]) launch(block = 1, grid = 1) { x[0] = f32(half(9)) + half(x[0]); }
// CHECK: x = [4.5]
