// The K greatest keys of a tile, or the least: selected by digits, sorted, stable, of the first n.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: top<128,4,10>(x=rand:512:3, y=zeros:10, v=zeros:10, least=zeros:10)
// EXPECT: y = np.sort(x)[::-1][:10]
// EXPECT: v = np.argsort(50 - x[:300] % 50, kind='stable')[:10]
// EXPECT: least = np.sort(x[:300])[:10]
// CALL: top<50,3,129>(x=rand:150:4, y=zeros:129, v=zeros:129, least=zeros:129)
// EXPECT: y = np.sort(x)[::-1][:129]
// EXPECT: v = np.argsort(50 - x % 50, kind='stable')[:129]
// EXPECT: least = np.sort(x)[:129]
// CALL: top<1,7,3>(x=rand:7:5, y=zeros:3, v=zeros:3, least=zeros:3)
// EXPECT: y = np.sort(x)[::-1][:3]
// EXPECT: v = np.argsort(50 - x % 50, kind='stable')[:3]
// EXPECT: least = np.sort(x)[:3]
// CALL: top<64,16,150>(x=rand:1024:6, y=zeros:150, v=zeros:150, least=zeros:150)
// EXPECT: y = np.sort(x)[::-1][:150]
// EXPECT: v = np.argsort(50 - x[:300] % 50, kind='stable')[:150]
// EXPECT: least = np.sort(x[:300])[:150]
kernel top<const B: u32, const N: u32, const K: u32>(x: in u32[B * N], y: out u32[K], v: out u32[K], least: out u32[K]) launch(block = B, grid = 1)
{
    let keys = block.load(x, 0, N);
    var small: u16[N];
    for (k in 0..N) small[k] = u16(keys[k] % 50);
    block.store(y, 0, block.top_k(keys, K));
    block.store(v, 0, block.top_k(small, block.load(count<u32>(), 0, N), K, valid = 300)[1]);
    block.store(least, 0, block.top_k(keys, K, descending = false, valid = 300));
}
export top<128, 4, 10>, top<50, 3, 129>, top<1, 7, 3>, top<64, 16, 150>;
