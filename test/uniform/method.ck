// A program's method of a group is called by the whole group, and by all that its collectives need.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
fn warp.wide() { block.sync(); }
fn warp.narrow() { warp.sync(); }
fn thread.own() { warp.narrow(); }
fn block.both(n: u32) { if (n > 3) warp.sync(); block.sync(); }
fn warp.tile.wide<const N: u32>() { warp.sync(); }
kernel k(n: u32) launch(block = 64, grid = 1)
{
    let t = warp.tile<8>;
    if (n > 3) warp.wide();
    if (warp.rank == 0) warp.narrow();
    if (warp.rank == 0) thread.own();
    if (warp.rank == 0) t.wide();
    block.both(warp.rank);
    if (warp.rank == 0) warp.wide();
    if (thread.rank == 0) thread.own();
    if (t.index == 0) t.wide();
    if (warp.rank == 0) block.both(n);
    block.both(thread.rank);
}
// CHECK-NOT: error:
// CHECK: method.ck:16:9: error: not all threads of the block come to 'block.sync': this differs between warps [divergent]
// CHECK: method.ck:16:25: note: 'block.sync' is called here
// CHECK: method.ck:3:18: note: 'block.sync' is called here
// CHECK: method.ck:17:9: error: not all threads of the warp come to 'warp.narrow': this differs between threads [divergent]
// CHECK: method.ck:18:9: error: not all threads of the warp come to 'warp.sync': this differs between tiles of a warp [divergent]
// CHECK: method.ck:19:9: error: not all threads of the block come to 'block.both': this differs between warps [divergent]
// CHECK: method.ck:20:16: error: this differs between threads, and decides whether 'warp.sync' is reached by its warp [divergent_argument]
// CHECK-NOT: error:
