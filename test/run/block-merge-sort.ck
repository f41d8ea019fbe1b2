// Sorted by comparison: stable, any order, any type, a part of the keys.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: sort<128,4>(x=rand:512:3, y=zeros:512, v=zeros:512, w=zeros:512)
// EXPECT: y = np.sort(x)[::-1]
// EXPECT: v = np.argsort(x % 8, kind='stable')
// EXPECT: w = [*np.sort(x[:100])] + [0] * 412
// CALL: sort<40,3>(x=rand:120:5, y=zeros:120, v=zeros:120, w=zeros:120)
// EXPECT: y = np.sort(x)[::-1]
// EXPECT: v = np.argsort(x % 8, kind='stable')
// EXPECT: w = [*np.sort(x[:100])] + [0] * 20
kernel sort<const B: u32, const N: u32>(x: in u32[B * N], y: out u32[B * N], v: out u32[B * N], w: out u32[B * N]) launch(block = B, grid = 1)
{
    let keys = block.load(x, 0, N);
    block.store(y, 0, block.merge_sort(keys, >));
    let (k, i) = block.merge_sort(keys, block.load(count<u32>(), 0, N), |a, b| a % 8 < b % 8);
    block.store(v, 0, i);
    let part = block.merge_sort(keys, <, valid = 100);
    for (j in 0..N) w[thread.rank * N + j] = thread.rank * N + j < 100 ? part[j] : 0;
}
export sort<128, 4>, sort<40, 3>;
