// The greatest of keys of other types, in blocks of any shape: floats, signed, of 1 and 8 bytes; all of them.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: floats(x=[3, -0.0, nan, 0.0, -inf, -1.5, 0.0, inf, -0.0, 2.5, -7, 1e-40, 5, 4, -2, 9], y=zeros:9, at=zeros:9)
// EXPECT: at = [2, 7, 15, 12, 13, 0, 9, 11, 1]
// EXPECT: y = [nan, inf, 9, 5, 4, 3, 2.5, 1e-40, 0]
kernel floats(x: in f32[16], y: out f32[9], at: out u32[9]) launch(block = (2, 2, 2), grid = 1)
{
    let (k, v) = block.top_k(block.load(x, 0, 2), block.load(count<u32>(), 0, 2), 9);
    block.store(y, 0, k);
    block.store(at, 0, v);
}
// CALL: others(a=zeros:33, b=zeros:480, c=zeros:8)
// EXPECT: a = np.sort([(i * 7919 % 479 - 240) * 10**12 for i in range(480)])[:33]
// EXPECT: b = -np.sort([-(i * 37 % 200 - 100) for i in range(480)])
// EXPECT: c = [4, 3.5, 3, 2.5, 2, 0, 0, 0]
kernel others(a: out i64[33], b: out i8[480], c: out f16[8]) launch(block = (8, 5, 3), grid = 1)
{
    let wide = count<i64>().map(|i| (i * 7919 % 479 - 240) * 1000000000000i64);
    block.store(a, 0, block.top_k(block.load(wide, 0, 4), 33, descending = false));
    let bytes = count<i32>().map(|i| i8(i * 37 % 200 - 100));
    block.store(b, 0, block.top_k(block.load(bytes, 0, 4), 480));
    let halves = count<i32>().map(|i| f16(i) * 0.5 + 2);
    let five = block.top_k(block.load(halves, 0, 4), 8, valid = 5);
    if (thread.rank < 8) c[thread.rank] = thread.rank < 5 ? five[0] : 0;
}
