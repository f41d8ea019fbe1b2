// Sorted by a network: any order and type, blocks of whole warps, in each warp alone.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: sort<128,4>(x=rand:512:3, y=zeros:512, z=zeros:512, w=zeros:512)
// EXPECT: y = np.sort(x)[::-1]
// EXPECT: z = np.sort(x)
// EXPECT: w = np.sort(x.reshape(4, -1))
// CALL: sort<96,1>(x=rand:96:5, y=zeros:96, z=zeros:96, w=zeros:96)
// EXPECT: y = np.sort(x)[::-1]
// EXPECT: z = np.sort(x)
// EXPECT: w = np.sort(x.reshape(3, -1))
// CALL: sort<32,16>(x=rand:512:7, y=zeros:512, z=zeros:512, w=zeros:512)
// EXPECT: y = np.sort(x)[::-1]
// EXPECT: z = np.sort(x)
// EXPECT: w = np.sort(x)
// CALL: sort<1024,2>(x=rand:2048:9, y=zeros:2048, z=zeros:2048, w=zeros:2048)
// EXPECT: y = np.sort(x)[::-1]
// EXPECT: z = np.sort(x)
// EXPECT: w = np.sort(x.reshape(32, -1))
struct Pair { key: u32; other: f64; }
kernel sort<const B: u32, const N: u32>(x: in u32[B * N], y: out u32[B * N], z: out u32[B * N], w: out u32[B * N]) launch(block = B, grid = 1)
{
    let keys = block.load(x, 0, N);
    block.store(y, 0, block.bitonic_sort(keys, >));
    var pairs: Pair[N];
    for (k in 0..N) pairs[k] = Pair(keys[k], 0.5 * f64(keys[k]));
    let sorted = block.bitonic_sort(pairs, |a, b| a.key < b.key);
    for (k in 0..N) z[thread.rank * N + k] = u32(sorted[k].other * 2.0);
    block.store(w, 0, warp.bitonic_sort(keys, <));
}
export sort<128, 4>, sort<96, 1>, sort<32, 16>, sort<1024, 2>;
