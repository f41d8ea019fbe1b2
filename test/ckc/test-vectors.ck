// ckc test has the components of vectors as the last axis: in lists, in what is made, in results.
// REQUIRES: ckc, host
// RUN: %ckc test --device=host %s | FileCheck %s
// CHECK: {{^}}4 passed, 0 failed{{$}}
// CALL: twice(x=[[1, 2, 3, 4], [5, 6, 7, 8]])
// EXPECT: y = [[2, 4, 6, 8], [10, 12, 14, 16]]
// CALL: twice(x=rand:100)
// EXPECT: y = 2 * x
// CALL: twice(n=3, x=ones:3, y=zeros:3)
// EXPECT: y = 2
// CALL: twice(x=[1, 2, 3, 4])
// EXPECT-ERROR: 'x' is of vectors: the last axis of '[1, 2, 3, 4]' has to have 4 elements

kernel twice(n: u64, x: in f32x4[n], y: out f32x4[n]) launch(block = 32, grid = ceil_div(n, 32))
{
    let i = grid.thread_rank;
    if (i < n) y[i] = 2 * x[i];
}
