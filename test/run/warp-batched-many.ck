// More reductions at once than there are lanes: striped or blocked over the lanes, of any number of items.
// REQUIRES: ckc, host
// RUN: %run-test %s
kernel many<const N: u32, const G: u32>(y: inout u32[2, 40, N]) launch(block = 40, grid = 1)
{
    const M = (N + G - 1) / G;
    let t = warp.tile<G>;
    var v: u32[N];
    for (k in 0..N) v[k] = thread.rank * 3 + k;
    let striped_ones = t.reduce_batched<striped>(v, +);
    let blocked_ones = t.reduce_batched<blocked>(v, +);
    let first = thread.rank - t.rank;
    for (j in 0..M) {
        let (s, b) = (t.rank + j * G, t.rank * M + j);
        if (s < N) y[0, first, s] = striped_ones[j];
        if (b < N) y[1, first, b] = blocked_ones[j];
    }
}
export many<20, 8>, many<3, 8>, many<70, 32>;
// CALL: many<20,8>(y=zeros:2x40x20)
// EXPECT: y = [[[sum(3 * i + k for i in range(t, t + 8)) if t % 8 == 0 else 0 for k in range(20)] for t in range(40)]] * 2
// CALL: many<3,8>(y=zeros:2x40x3)
// EXPECT: y = [[[sum(3 * i + k for i in range(t, t + 8)) if t % 8 == 0 else 0 for k in range(3)] for t in range(40)]] * 2
// In the second warp 8 lanes have 3 blocked results each, or those of 8 lanes of each 32.
// CALL: many<70,32>(y=zeros:2x40x70)
// EXPECT: y = [[[sum(3 * i + k for i in range(t, min(t + 32, 40))) if t == 0 or t == 32 and (k < 24 if b else k % 32 < 8) else 0 for k in range(70)] for t in range(40)] for b in range(2)]
