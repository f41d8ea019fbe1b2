// A property of a tile takes the tile's lanes as its compile-time parameter; if it is a constant,
// that is what stands there.
// RUN: %ckc %s --stop-after=check --dump=check | FileCheck %s
fn warp.tile.last<const N: u32> -> u32 = N - 1;
kernel k(y: out u32[1]) { y[0] = warp.tile<8>.last; }
// CHECK: int 7
