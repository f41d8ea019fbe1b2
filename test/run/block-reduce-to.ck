// block.reduce_to gives one thread the value; block.radix_rank says where each digit goes.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: k(y=zeros:2, r=zeros:64)
// EXPECT: y = [2016, 45]
// EXPECT: r = [i // 4 + 16 * (i % 4) for i in range(64)]
kernel k(y: out u32[2], r: out u32[64]) launch(block = 64, grid = 1)
{
    let i = thread.rank;
    let sum = block.reduce_to(5, i, +);
    if (i == 5) y[0] = sum;
    let some = block.reduce(i, +, valid = 10);
    if (i == 0) y[1] = some;
    r[i] = block.radix_rank<2>([i % 4])[0];
}
