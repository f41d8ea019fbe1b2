// An exchange by shuffle of N items is N shuffles of each 32 bits, and no memory.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(x: in u64[256], y: out u64[256]) launch(block = 64, grid = 1)
{
    let v = warp.exchange<blocked_to_striped>(block.load<vectorized>(x, 0, 4), shuffle = true);
    block.store<warp_striped>(y, 0, v);
}
// CHECK-NOT: .shared
// CHECK-COUNT-8: shfl.sync.idx.b32
// CHECK-NOT: shfl
// CHECK-NOT: .shared
// Of two words a lane that is what an exchange does by itself.
kernel two(x: in u32[128], y: out u32[128]) launch(block = 64, grid = 1)
{
    let v = warp.tile<8>.exchange<striped_to_blocked>(block.load<vectorized>(x, 0, 2));
    block.store<vectorized>(y, 0, v);
}
// CHECK: entry two
// CHECK-NOT: .shared
// CHECK-COUNT-2: shfl.sync.idx.b32
// CHECK-NOT: .shared
