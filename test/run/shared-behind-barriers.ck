// A barrier in a loop that has no turn is none: bytes that were used before the loop get a barrier of their own behind it.
// RUN: %run-test %s
// RUN: %ckc test %s --device=host -check | FileCheck %s
fn turn(x: u32) -> u32 {
    shared t: u32[64];
    t[(thread.rank + 1) % 64] = x;
    block.sync();
    return t[63 - thread.rank];
}
kernel k(n: u32, y: out u32[64]) launch(block = 64, grid = 1)
{
    let a = turn(thread.rank);
    for (i in 0..n) block.sync();
    let b = turn(a);
    var m = 0u32;
    while (m < n) { block.sync(); m += 1; }
    y[thread.rank] = turn(b);
}
// CALL: k(n=0, y=zeros:64)
// EXPECT: y = (62 - arange(64)) % 64
// CALL: k(n=1, y=zeros:64)
// EXPECT: y = (62 - arange(64)) % 64
// CHECK: 2 passed, 0 failed
