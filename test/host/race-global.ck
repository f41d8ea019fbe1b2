// A checked build on the host finds races of a block's threads for global memory.
// RUN: not %ckc run %s twice x=zeros:64 --device=host -check 2>&1 | FileCheck %s
// RUN: %ckc run %s parts x=zeros:64 --device=host -check --print=x | FileCheck --check-prefix=RIGHT %s
kernel twice(x: inout i32[64]) launch(block = 64, grid = 1)
{
    x[thread.x / 2] = 1;
}
// CHECK: race-global.ck:6:5: block: [0,0,0], thread: [1,0,0] race: 'x[thread.x / 2]' writes 'x', which thread [0,0,0] writes by

kernel parts(x: inout u8[64]) launch(block = 64, grid = 1)
{
    x[thread.x] = 1;        // neighbours in one word, and none in one byte
    block.sync();
    x[63 - thread.x] += 1;
}
// RIGHT: x = [2, 2,
