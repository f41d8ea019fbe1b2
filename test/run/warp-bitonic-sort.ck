// Sorted by a network in each warp, in each tile, and in a block that is not of whole warps.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: sort<12,4,1,4,8>(x=rand:192:3, y=zeros:192, w=zeros:192, t=zeros:192)
// EXPECT: y = np.sort(x)[::-1]
// EXPECT: w = np.concatenate([np.sort(x[i:i + 128]) for i in range(0, 192, 128)])
// EXPECT: t = np.concatenate([np.sort(x[i:i + 32]) for i in range(0, 192, 32)])
// CALL: sort<5,3,3,2,4>(x=rand:90:5, y=zeros:90, w=zeros:90, t=zeros:90)
// EXPECT: y = np.sort(x)[::-1]
// EXPECT: w = np.concatenate([np.sort(x[i:i + 64]) for i in range(0, 90, 64)])
// EXPECT: t = np.concatenate([np.sort(x[i:i + 8]) for i in range(0, 90, 8)])
// CALL: sort<5,1,1,1,2>(x=rand:5:7, y=zeros:5, w=zeros:5, t=zeros:5)
// EXPECT: y = np.sort(x)[::-1]
// EXPECT: w = np.sort(x)
// EXPECT: t = np.concatenate([np.sort(x[i:i + 2]) for i in range(0, 5, 2)])
// CALL: sort<64,1,1,8,16>(x=rand:512:9, y=zeros:512, w=zeros:512, t=zeros:512)
// EXPECT: w = np.concatenate([np.sort(x[i:i + 256]) for i in range(0, 512, 256)])
// EXPECT: t = np.concatenate([np.sort(x[i:i + 128]) for i in range(0, 512, 128)])
struct Pair { key: u32; other: f64; }
kernel sort<const X: u32, const Y: u32, const Z: u32, const N: u32, const G: u32>(x: in u32[], y: out u32[], w: out u32[], t: out u32[]) launch(block = (X, Y, Z), grid = 1)
{
    let keys = block.load(x, 0, N);
    block.store(y, 0, block.bitonic_sort(keys, >));
    block.store(w, 0, warp.bitonic_sort(keys, <));
    var pairs: Pair[N];
    for (k in 0..N) pairs[k] = Pair(keys[k], 0.5 * f64(keys[k]));
    let sorted = warp.tile<G>.bitonic_sort(pairs, |a, b| a.key < b.key);
    for (k in 0..N) t[thread.rank * N + k] = u32(sorted[k].other * 2.0);
}
export sort<12, 4, 1, 4, 8>, sort<5, 3, 3, 2, 4>, sort<5, 1, 1, 1, 2>, sort<64, 1, 1, 8, 16>;
