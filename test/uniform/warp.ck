// A warp's operations need conditions that are the same in the warp, a tile's in the tile.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
kernel a() { if (warp.lane == 0) warp.sync(); }
// CHECK: warp.ck:[[#@LINE-1]]:18: error: not all threads of the warp come to 'warp.sync': this differs between threads
kernel b() { if (warp.rank == 0) block.sync(); }
// CHECK: warp.ck:[[#@LINE-1]]:18: error: not all threads of the block come to 'block.sync': this differs between warps
kernel c() { let t = warp.tile<8>; if (t.index == 0) warp.sync(); }
// CHECK: warp.ck:[[#@LINE-1]]:40: error: not all threads of the warp come to 'warp.sync': this differs between tiles of a warp
kernel d() { if (warp.tile<4>.index == 0) warp.tile<8>.sync(); }
// CHECK: warp.ck:[[#@LINE-1]]:18: error: not all threads of the tile come to 'warp.tile.sync': this differs between tiles
kernel e(x: in f32[32], y: out f32[32]) { y[thread.x] = x[thread.x] > 0 ? warp.sum(x[thread.x]) : 0; }
// CHECK: warp.ck:[[#@LINE-1]]:57: error: not all threads of the warp come to 'warp.sum': this differs between threads
kernel f(x: in f32[32]) { let b = x[thread.x] > 0 && warp.any(true); print("{}", b); }
// CHECK: warp.ck:[[#@LINE-1]]:35: error: not all threads of the warp come to 'warp.any': this differs between threads
