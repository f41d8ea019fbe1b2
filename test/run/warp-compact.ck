// Compaction in a warp and in a tile, by votes and by a scan; lanes may be missing.
// REQUIRES: ckc, host
// RUN: %run-test %s
kernel kept<const N: u32, const G: u32>(y: inout u32[40 * N], s: inout u32[40 * N], n: out u32[40]) launch(block = 40, grid = 1)
{
    let t = warp.tile<G>;
    let first = thread.rank - t.rank;
    let lanes = min(G, 40 - first);
    let items = block.load(count<u32>(), 0, N);
    var keep: bool[N];
    for (k in 0..N) keep[k] = items[k] % 3 == 0;
    let (kept, total) = t.compact(items, keep);
    let (turned, same) = t.compact<striped>(items, keep);
    for (k in 0..N) {
        if (t.rank * N + k < total) y[thread.rank * N + k] = kept[k];
        if (t.rank + k * lanes < total) s[first * N + t.rank + k * lanes] = turned[k];
    }
    n[thread.rank] = total == same ? total : 9999;
}
export kept<1, 32>, kept<3, 8>, kept<10, 16>;
// CALL: kept<1,32>(y=zeros:40, s=zeros:40)
// EXPECT: y = [3 * i if i < 11 else 0 for i in range(32)] + [33, 36, 39] + [0] * 5
// EXPECT: s = [3 * i if i < 11 else 0 for i in range(32)] + [33, 36, 39] + [0] * 5
// EXPECT: n = [11] * 32 + [3] * 8
// CALL: kept<3,8>(y=zeros:120, s=zeros:120)
// EXPECT: y = [24 * (i // 24) + 3 * (i % 24) if i % 24 < 8 else 0 for i in range(120)]
// EXPECT: s = [24 * (i // 24) + 3 * (i % 24) if i % 24 < 8 else 0 for i in range(120)]
// EXPECT: n = [8] * 40
// CALL: kept<10,16>(y=zeros:400, s=zeros:400)
// EXPECT: y = np.concatenate([[i for i in range(a, b) if i % 3 == 0] + [0] * sum(i % 3 > 0 for i in range(a, b)) for a, b in [[0, 160], [160, 320], [320, 400]]])
// EXPECT: s = np.concatenate([[i for i in range(a, b) if i % 3 == 0] + [0] * sum(i % 3 > 0 for i in range(a, b)) for a, b in [[0, 160], [160, 320], [320, 400]]])
