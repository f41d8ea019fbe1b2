// Items change hands: each arrangement and back, of rows of 16 bytes and of others.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: exchange<64,4>(y=zeros:64x4, z=zeros:64x4, w=zeros:64x4)
// EXPECT: y = [[t + 64 * k for k in range(4)] for t in range(64)]
// EXPECT: z = [[t // 32 * 128 + t % 32 + 32 * k for k in range(4)] for t in range(64)]
// EXPECT: w = [[4 * t + k for k in range(4)] for t in range(64)]
// CALL: exchange<64,8>(y=zeros:64x8, z=zeros:64x8, w=zeros:64x8)
// EXPECT: y = [[t + 64 * k for k in range(8)] for t in range(64)]
// EXPECT: z = [[t // 32 * 256 + t % 32 + 32 * k for k in range(8)] for t in range(64)]
// EXPECT: w = [[8 * t + k for k in range(8)] for t in range(64)]
// CALL: exchange<40,3>(y=zeros:40x3, z=zeros:40x3, w=zeros:40x3)
// EXPECT: y = [[t + 40 * k for k in range(3)] for t in range(40)]
// EXPECT: z = [[(t + 32 * k if t < 32 else 96 + t - 32 + 8 * k) for k in range(3)] for t in range(40)]
// EXPECT: w = [[3 * t + k for k in range(3)] for t in range(40)]
kernel exchange<const B: u32, const N: u32>(y: out u32[B, N], z: out u64[B, N], w: out u16[B, N])
    launch(block = B, grid = 1)
{
    let t = thread.rank;
    var (a, b) = (y_of<N>(), z_of<N>());
    a = block.exchange<blocked_to_striped>(a);
    b = block.exchange<blocked_to_warp_striped>(b);
    for (k in 0..N) (y[t, k], z[t, k]) = (a[k], b[k]);
    a = block.exchange<striped_to_blocked>(a);
    b = block.exchange<warp_striped_to_blocked>(b);
    for (k in 0..N) w[t, k] = u64(a[k]) == b[k] ? u16(a[k]) : 9999;
}
fn y_of<const N: u32>() -> u32[N] { var v: u32[N]; for (k in 0..N) v[k] = thread.rank * N + k; return v; }
fn z_of<const N: u32>() -> u64[N] { var v: u64[N]; for (k in 0..N) v[k] = u64(thread.rank * N + k); return v; }
export exchange<64, 4>, exchange<64, 8>, exchange<40, 3>;
