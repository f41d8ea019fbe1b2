// A block's votes are one barrier: whether one thread, all, how many; what was written before is seen.
// RUN: %run-test %s
// CALL: votes(n=0, y=zeros:5)
// EXPECT: y = [0, 0, 0, 99, 1]
// CALL: votes(n=1, y=zeros:5)
// EXPECT: y = [1, 0, 1, 99, 1]
// CALL: votes(n=100, y=zeros:5)
// EXPECT: y = [1, 1, 100, 99, 1]
kernel votes(n: u32, y: out u32[5]) launch(block = (20, 5), grid = 1)
{
    shared s: u32[100];
    let i = thread.rank;
    s[i] = i;
    let is_one = block.any(i < n);
    let last = s[99 - i];
    let are_all = block.all(i < n);
    let count = block.count(i < n);
    if (is_one == are_all) s[i] = 1; // the same in the block
    if (count != n) block.sync();
    if (i == 0) {
        y[0] = u32(is_one);
        y[1] = u32(are_all);
        y[2] = count;
        y[3] = last;
        y[4] = u32(count == n);
    }
}
// In a loop whose end they decide.
// CALL: steps(x=iota:64, y=zeros:64)
// EXPECT: y = [63] * 64
kernel steps(x: in u32[64], y: out u32[64]) launch(block = 64, grid = 1)
{
    var n = 0u32;
    while (block.any(x[thread.rank] > n)) n += 1;
    y[thread.rank] = n;
}
