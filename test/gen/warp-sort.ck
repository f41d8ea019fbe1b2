// A sort of a tile, and an exchange, wait for the tile's lanes alone.
// RUN: %ckc %s --emit=llvm --target=sm_90 -o - | FileCheck %s
// CHECK-NOT: barrier0
// CHECK: bar.warp.sync
// CHECK-NOT: barrier0
kernel sort(y: inout u32[256]) launch(block = 64, grid = 1)
{
    let t = warp.tile<8>;
    if (t.index == 1) {
        let (keys, at) = t.merge_sort(t.load<transpose>(y, 0, 4), [0u32, 1, 2, 3], <, valid = 30);
        t.store<transpose>(y, t.broadcast(at[0], 0), warp.tile<4>.exchange<scatter_to_striped>(keys, [0u32, 1, 2, 3]));
    }
}
