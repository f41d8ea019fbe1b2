// Sorted by bits: keys, keys with values, a window of bits, both directions.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: sort<128,4>(x=rand:512:3, y=zeros:512, v=zeros:512, w=zeros:512)
// EXPECT: y = np.sort(x)
// EXPECT: v = np.argsort(31 - (x >> 3 & 31), kind='stable')
// CALL: sort<40,3>(x=rand:120:5, y=zeros:120, v=zeros:120, w=zeros:120)
// EXPECT: y = np.sort(x)
// EXPECT: v = np.argsort(31 - (x >> 3 & 31), kind='stable')
// CALL: sort<7,2>(x=rand:14:5, y=zeros:14, v=zeros:14, w=zeros:14)
// EXPECT: y = np.sort(x)
kernel sort<const B: u32, const N: u32>(x: in u32[B * N], y: out u32[B * N], v: out u32[B * N], w: out u32[B * N]) launch(block = B, grid = 1)
{
    let keys = block.load(x, 0, N);
    block.store(y, 0, block.radix_sort(keys));
    let index = block.load(count<u32>(), 0, N);
    let (k, i) = block.radix_sort(keys, index, begin_bit = 3, end_bit = 8, descending = true);
    block.store(v, 0, i);
    block.store(w, 0, k);
}
export sort<128, 4>, sort<40, 3>, sort<7, 2>;
