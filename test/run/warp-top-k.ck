// The K greatest keys of a warp or a tile, or the least: one by one and sorted, stable, of the first n.
// REQUIRES: ckc, host
// RUN: %run-test %s
kernel top<const N: u32, const G: u32, const K: u32>(x: in f32[40 * N], n: u32, y: inout f32[40, K], v: inout u32[40, K], least: inout f32[40, K]) launch(block = 40, grid = 1)
{
    const M = (K + G - 1) / G;
    let t = warp.tile<G>;
    let keys = block.load(x, 0, N);
    let (k, at) = t.top_k(keys, block.load(count<u32>(), 0, N), K, valid = n);
    let small = t.top_k(keys, K, descending = false);
    let group = thread.rank - t.rank;
    for (j in 0..M) {
        let place = t.rank * M + j;
        if (place >= min(K, min(G, 40 - group) * N)) continue;
        least[group, place] = small[j];
        if (place < n) (y[group, place], v[group, place]) = (k[j], at[j]);
    }
}
export top<3, 8, 3>, top<1, 32, 1>, top<5, 16, 24>, top<2, 4, 8>;
// CALL: top<3,8,3>(x=rand:120:3, n=24, y=zeros:40x3, v=zeros:40x3, least=zeros:40x3)
// EXPECT: y = [np.sort(x[3 * t : 3 * t + 24])[::-1][:3] if t % 8 == 0 else [0] * 3 for t in range(40)]
// EXPECT: least = [np.sort(x[3 * t : 3 * t + 24])[:3] if t % 8 == 0 else [0] * 3 for t in range(40)]
// Equal keys: the first ones.
// CALL: top<1,32,1>(x=[i % 3 for i in range(40)], n=2, y=zeros:40x1, v=zeros:40x1, least=zeros:40x1)
// EXPECT: y = [[1] if t == 0 else [2] if t == 32 else [0] for t in range(40)]
// EXPECT: v = [[1] if t == 0 else [32] if t == 32 else [0] for t in range(40)]
// CALL: top<5,16,24>(x=[i % 7 for i in range(200)], n=80, y=zeros:40x24, v=zeros:40x24, least=zeros:40x24)
// EXPECT: v = [[*(5 * t + argsort(100 - x[5 * t:min(5 * t + 80, 200)], kind='stable')[:24 if t < 32 else 16]), *[0] * (8 if t >= 32 else 0)] if t % 16 == 0 else [0] * 24 for t in range(40)]
// CALL: top<2,4,8>(x=rand:80:9, n=8, y=zeros:40x8, v=zeros:40x8, least=zeros:40x8)
// EXPECT: least = [np.sort(x[2 * t : 2 * t + 8]) if t % 4 == 0 else [0] * 8 for t in range(40)]
