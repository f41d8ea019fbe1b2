// What waits for warps alone gets no barrier of the block, where others of the block may not come by.
// RUN: %ckc %s --emit=llvm --target=sm_90 -o - | FileCheck %s
fn next<const D: u32>(v: u32) -> u32 {
    shared all: u32[block.size];
    warp.sync();
    all[thread.rank] = v;
    warp.sync();
    return all[thread.rank ^ D];
}
fn both(v: u32) -> u32 = next<2>(next<1>(v));
fn repeated(v: u32, times: u32) -> u32 {
    var r = next<2>(v);
    for (i in 0..times) r = next<1>(r);
    return r;
}
// CHECK-NOT: barrier0
// CHECK: bar.warp.sync
// CHECK-NOT: barrier0
kernel chain(y: out u32[64]) launch(block = 64, grid = 1)
{
    y[thread.rank] = warp.rank == 0 ? both(thread.rank) : repeated(thread.rank, warp.rank);
}
