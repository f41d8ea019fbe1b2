// A checked launch of larger blocks after one of small ones: what is noted of each thread grows.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: turn<32>(x=iota:320) -check
// EXPECT: x = x ^ 1
// CALL: turn<1024>(x=iota:20480) -check
// EXPECT: x = x ^ 1
// CALL: turn<64>(x=iota:640) -check
// EXPECT: x = x ^ 1
kernel turn<const BLOCK: u32>(x: inout u32[]) launch(block = BLOCK, grid = u32(x.len / BLOCK))
{
    shared all: u32[BLOCK];
    all[thread.x] = x[grid.thread_rank];
    block.sync();
    x[grid.thread_rank] = all[thread.x ^ 1];
}
