// A shuffle goes to a lane of its own warp or tile.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: inout f32[32]) launch(block = 32, grid = 1) {
    x[0] = warp.shuffle_down(x[0], 32);
    x[1] = warp.shuffle_xor(x[0], 33) + warp.shuffle_up(x[0], 31);
    x[2] = warp.tile<8>.shuffle_up(x[0], 8) + warp.tile<8>.shuffle_up(x[0], 7);
}
// CHECK: 4:36: error: a shuffle down 32: a warp has 32 lanes [shuffle_count]
// CHECK: 5:35: error: a shuffle by the bits of 33: a warp has 32 lanes
// CHECK: 6:42: error: a shuffle up 8: the tile has 8 lanes
// CHECK-NOT: error:
