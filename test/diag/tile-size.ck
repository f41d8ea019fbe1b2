// A tile has a power of two of lanes.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(y: out u32[32]) { y[thread.x] = warp.tile<12>.rank; }
// CHECK: tile-size.ck:3:52: error: a tile of 12 lanes: it needs 2, 4, 8, 16 or 32 [tile_size]
