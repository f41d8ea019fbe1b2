// -D names a constant of the module.
// RUN: not %ckc %s -D TILES=8 --stop-after=check 2>&1 | FileCheck %s
// RUN: %ckc %s -D TILE=8 --emit=manifest | FileCheck %s --check-prefix=GOOD
const TILE: u32 = 16;
kernel k(n: u32, y: out u32[n]) launch(block = TILE, grid = n) { y[0] = TILE; }
// CHECK: -D:1:7: error: the module has no constant 'TILES' [define_unknown]
// GOOD: "block": ["8"]
