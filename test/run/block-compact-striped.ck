// What a compaction keeps comes striped as well, without another exchange.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: kept(y=zeros:80)
// EXPECT: y = [3 * i if i < 27 else 0 for i in range(80)]
// CALL: kept(y=zeros:80) -check
// EXPECT: y = [3 * i if i < 27 else 0 for i in range(80)]
kernel kept(y: out u32[80]) launch(block = 40, grid = 1)
{
    let i = 2 * thread.rank;
    let (kept, count) = block.compact<striped>([i, i + 1], [i % 3 == 0, (i + 1) % 3 == 0]);
    block.store<striped>(y, 0, kept, valid = count);
}
