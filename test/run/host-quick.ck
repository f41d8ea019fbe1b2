// -O1 is quick to compile on the host: waits in a loop, arrays across them.
// RUN: %run-test %s
// CALL: k(x=iota:96, y=zeros:96) -O1
// EXPECT: y = [10 * sum(range(96)) + 4 * ((i + 9) % 96) + 6 for i in range(96)]
kernel k(x: in u32[96], y: out u32[96]) launch(block = 96, grid = 1)
{
    var mine: u32[4];
    for (j in 0u32..4) mine[j] = x[thread.rank] + j;
    var sum: u32 = 0;
    for (round in 0..10) {
        shared all: u32[96];
        all[thread.rank] = mine[round % 4];
        block.sync();
        if (round == 9) for (j in 0u32..4) sum += all[(thread.rank + 9) % 96] - 1 + j;
        sum += block.reduce(x[thread.rank], +);
    }
    y[thread.rank] = sum;
}
