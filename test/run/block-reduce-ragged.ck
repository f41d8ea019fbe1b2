// A reduction of many warps whose last one has few lanes: in all threads, and in one of the last warp.
// REQUIRES: ckc, host
// RUN: %run-test %s
kernel ragged<const B: u32>(all: out u32[B], one: out u32[B], other: out i32[B], sums: out u64[B]) launch(block = B, grid = 1)
{
    let v = thread.rank + 1;
    all[thread.rank] = block.reduce(v, max);
    other[thread.rank] = block.reduce(-i32(v), min);
    for (to in 0..B) {
        let r = block.reduce_to(to, v, max);
        let s = block.reduce_to(to, u64(v), |a, b| a + b, valid = B - 1);
        if (thread.rank == to) (one[to], sums[to]) = (r, s);
    }
}
export ragged<482>, ragged<33>, ragged<290>, ragged<1000>;
// CALL: ragged<482>(all=zeros:482, one=zeros:482, other=zeros:482, sums=zeros:482)
// EXPECT: all = [482] * 482
// EXPECT: one = [482] * 482
// EXPECT: other = [-482] * 482
// EXPECT: sums = [115921] * 482
// CALL: ragged<33>(all=zeros:33, one=zeros:33, other=zeros:33, sums=zeros:33)
// EXPECT: one = [33] * 33
// EXPECT: sums = [528] * 33
// CALL: ragged<290>(all=zeros:290, one=zeros:290, other=zeros:290, sums=zeros:290)
// EXPECT: all = [290] * 290
// EXPECT: one = [290] * 290
// CALL: ragged<1000>(all=zeros:1000, one=zeros:1000, other=zeros:1000, sums=zeros:1000)
// EXPECT: all = [1000] * 1000
// EXPECT: one = [1000] * 1000
