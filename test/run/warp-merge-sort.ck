// Each warp and each tile sorts by comparison: stable, any order, any type, a part of the keys.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: sort<96,4,8>(x=rand:384:3, y=zeros:384, v=zeros:384, w=zeros:384, p=zeros:384)
// EXPECT: y = np.concatenate([np.sort(x[i:i + 128])[::-1] for i in range(0, 384, 128)])
// EXPECT: v = np.concatenate([i + np.argsort(x[i:i + 32] % 8, kind='stable') for i in range(0, 384, 32)])
// EXPECT: w = np.concatenate([[*np.sort(x[i:i + 32][:5]), *0 * x[i:i + 32][5:]] for i in range(0, 384, 32)])
// EXPECT: p = np.concatenate([[*(i + np.argsort(x[i:i + 128][:50] % 8, kind='stable')), *0 * x[i:i + 128][50:]] for i in range(0, 384, 128)])
// CALL: sort<50,3,4>(x=rand:150:5, y=zeros:150, v=zeros:150, w=zeros:150, p=zeros:150)
// EXPECT: y = np.concatenate([np.sort(x[i:i + 96])[::-1] for i in range(0, 150, 96)])
// EXPECT: v = np.concatenate([i + np.argsort(x[i:i + 12] % 8, kind='stable') for i in range(0, 150, 12)])
// EXPECT: w = np.concatenate([[*np.sort(x[i:i + 12][:5]), *0 * x[i:i + 12][5:]] for i in range(0, 150, 12)])
// EXPECT: p = np.concatenate([[*(i + np.argsort(x[i:i + 96][:50] % 8, kind='stable')), *0 * x[i:i + 96][50:]] for i in range(0, 150, 96)])
kernel sort<const B: u32, const N: u32, const G: u32>(x: in u32[B * N], y: out u32[B * N], v: out u32[B * N], w: out u32[B * N], p: out u32[B * N]) launch(block = B, grid = 1)
{
    let t = warp.tile<G>;
    let keys = block.load(x, 0, N);
    let places = block.load(count<u32>(), 0, N);
    block.store(y, 0, warp.merge_sort(keys, >));
    block.store(v, 0, t.merge_sort(keys, places, |a, b| a % 8 < b % 8)[1]);
    let part = t.merge_sort(keys, <, valid = 5);
    let (k, i) = warp.merge_sort(keys, places, |a, b| a % 8 < b % 8, valid = 50);
    for (j in 0..N) {
        w[thread.rank * N + j] = t.rank * N + j < 5 ? part[j] : 0;
        p[thread.rank * N + j] = warp.lane * N + j < 50 ? i[j] : 0;
    }
}
export sort<96, 4, 8>, sort<50, 3, 4>;
