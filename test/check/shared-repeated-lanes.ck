// No barrier of the block goes in where only lanes of a warp exchange data by a variable of a loop's body: they wait for each other at its end.
// RUN: %ckc %s --stop-after=gen --target=sm_90 | FileCheck %s
// RUN: %ckc test %s --device=host -check
kernel k(m: in u32[1], x: in u32[64], y: out u32[64]) launch(block = 64, grid = 1)
{
    var acc = x[thread.x];
    for (i in 0..m[0]) {
        shared q: u32[64];
        q[thread.x] = acc + 1;
        warp.sync();
        acc = q[thread.x ^ 31];
        warp.sync();
    }
    y[thread.x] = acc;
}
// CALL: k(m=[3], x=iota:64, y=zeros:64)
// EXPECT: y = (arange(64) ^ 31) + 3
// CHECK-LABEL: define {{.*}}@k(
// CHECK-NOT: barrier0
