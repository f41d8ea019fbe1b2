// Functions have frames of shared memory: two calls in a row share one, in a loop it does not grow.
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
// RUN: %ckc %s --stop-after=check | FileCheck %s --check-prefix=TREE
fn turn(x: f32) -> f32 {
    shared t: f32[64];
    t[thread.x] = x;
    block.sync();
    return t[63 - thread.x];
}
kernel k(n: u32, y: inout f32[64]) launch(block = 64, grid = 1)
{
    var v = turn(turn(y[thread.x]));
    for (i in 0..n) v += turn(v);
    y[thread.x] = v;
}
kernel l(n: u32, y: inout f32[64]) launch(block = 64, grid = 1)
{
    y[thread.x] = turn(y[thread.x]);
    block.sync();
    y[thread.x] = turn(y[thread.x]);
}
// CHECK: "shared_bytes": 256
// CHECK: "shared_bytes": 256
// TREE-LABEL: kernel k
// TREE-NOT: __block_sync
// TREE: c int 0 : u64
// TREE-NEXT: c int 0 : u64
// TREE-NEXT: d call : nothing
// TREE-NEXT: name __block_sync
// TREE: a for
// TREE-NOT: __block_sync
// TREE: c int 0 : u64
// TREE-NEXT: d call : nothing
// TREE-LABEL: kernel l
// TREE-NOT: d call
