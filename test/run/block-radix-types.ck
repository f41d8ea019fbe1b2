// Keys of other types: signed, 64 bits, floats; -0 and 0 are equal, NaNs stand by their signs.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: types(f=[3, -0.0, nan, 0.0, -inf, -1.5, 0.0, inf, -0.0, 2.5, -7, 1e-40, 5, 4, -2, 9], y=zeros:16, at=zeros:16, k=zeros:16, h=zeros:16)
// EXPECT: at = [4, 10, 14, 5, 1, 3, 6, 8, 11, 9, 0, 13, 12, 15, 7, 2]
// EXPECT: k = np.sort([(i * 7919 % 31 - 15) * 10**12 for i in range(16)])
// EXPECT: h = -np.sort([-(i * 37 % 16 - 8) * 0.5 for i in range(16)])
kernel types(f: in f32[16], y: out f32[16], at: out u32[16], k: out i64[16], h: out f16[16]) launch(block = 8, grid = 1)
{
    let (sorted, from) = block.radix_sort(block.load(f, 0, 2), block.load(count<u32>(), 0, 2));
    block.store(at, 0, from);
    block.store(y, 0, sorted);
    let wide = count<i64>().map(|i| (i * 7919 % 31 - 15) * 1000000000000i64);
    block.store(k, 0, block.radix_sort(block.load(wide, 0, 2)));
    let halves = count<i32>().map(|i| f16(i * 37 % 16 - 8) * 0.5);
    block.store(h, 0, block.radix_sort(block.load(halves, 0, 2), descending = true));
}
