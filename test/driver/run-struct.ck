// What 'ckc run' has no values of, it refuses.
// RUN: not %ckc run %s k 2>&1 | FileCheck %s
// CHECK: 'x' of k is made of structs, tuples or arrays: a C program launches it
struct P { x: f32; }
kernel k(x: in P[2]) launch(block = 1, grid = 1) {}
