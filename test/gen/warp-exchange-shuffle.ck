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
