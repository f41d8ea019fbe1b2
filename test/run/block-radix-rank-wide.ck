// Ranks by counters of many threads and many bits, above 48 KB, and of a thread with many equal keys.
// RUN: %run-test %s
// CALL: wide(x=arange(768) * 37 % 128, y=zeros:768)
// EXPECT: y = argsort(argsort(x, kind="stable"), kind="stable")
kernel wide(x: in u32[768], y: out u32[768]) launch(block = 768, grid = 1)
{
    y[thread.rank] = block.radix_rank<7, memoize>([x[thread.rank]])[0];
}
// CALL: equal(x=arange(272) // 270, y=zeros:272)
// EXPECT: y = arange(272)
kernel equal(x: in u32[272], y: out u32[272]) launch(block = 2, grid = 1)
{
    block.store(y, 0, block.radix_rank<1, basic>(block.load(x, 0, 136)));
}
