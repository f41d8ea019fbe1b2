// Items go to places in the warp's, or the tile's, striped or blocked: all of them, or those that are there.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: scatter<96,3,8>(y=zeros:96x3, z=zeros:96x3)
// EXPECT: y = [[95 - t % 32 * 3 - k + t // 32 * 96 for k in range(3)] for t in range(96)]
// EXPECT: z = [[23 - t % 8 - 8 * k + t // 8 * 24 for k in range(3)] for t in range(96)]
// CALL: scatter<50,2,4>(y=zeros:50x2, z=zeros:50x2)
// EXPECT: y = [[(t // 32 * 64 + [63, 35][t // 32] - t % 32 * 2 - k) for k in range(2)] for t in range(50)]
// EXPECT: z = [[t // 4 * 8 + (7 if t < 48 else 3) - t % 4 - (4 if t < 48 else 2) * k for k in range(2)] for t in range(50)]
kernel scatter<const B: u32, const N: u32, const G: u32>(y: out u32[B, N], z: out u16[B, N]) launch(block = B, grid = 1)
{
    let t = warp.tile<G>;
    var (items, ranks, places) = (zeros<u32, N>(), zeros<u32, N>(), zeros<u32, N>());
    unroll for (k in 0..N) {
        items[k] = thread.rank * N + k;
        ranks[k] = popcount(warp.mask) * N - 1 - (warp.lane * N + k);
        places[k] = popcount(t.mask) * N - 1 - (t.rank * N + k);
    }
    let a = warp.exchange<scatter_to_blocked>(items, ranks);
    let b = t.exchange<scatter_to_striped>(narrow(items), places);
    for (k in 0..N) (y[thread.rank, k], z[thread.rank, k]) = (a[k], b[k]);
}
fn zeros<T: type, const N: u32>() -> T[N] { var v: T[N]; return v; }
fn narrow<const N: u32>(v: u32[N]) -> u16[N] { var r: u16[N]; for (k in 0..N) r[k] = u16(v[k]); return r; }
// The even ones, in one tile of two alone, which leaves the other's memory as it is.
// CALL: some(y=zeros:64x2) -check
// EXPECT: y = [[(t // 8 * 16 + 2 * (2 * (t % 8) + k) if t // 8 % 2 and t % 8 < 4 else 7 if t // 8 % 2 == 0 else -1) for k in range(2)] for t in range(64)]
kernel some(y: inout i32[64, 2]) launch(block = (16, 4), grid = 1)
{
    let t = warp.tile<8>;
    let first = i32(thread.rank * 2);
    var r = [7, 7];
    if (t.index % 2 == 1) {
        let (ranks, only) = ([t.rank, 0], [true, false]);
        r = t.exchange<scatter_to_blocked>([first, first + 1], ranks, valid = only);
        if (t.rank >= 4) r = [-1, -1];
    }
    for (k in 0..2) y[thread.rank, k] = r[k];
}
export scatter<96, 3, 8>, scatter<50, 2, 4>;
