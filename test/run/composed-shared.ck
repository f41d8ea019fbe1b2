// Primitives between a program's own shared memory, static and dynamic: nobody's bytes are others'.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: beside(n=50, x=rand:192:1:0..999, y=zeros:192)
// EXPECT: y = np.sort(x)[::-1] + np.arange(192) % 50 + x.sum() + x
// CALL: beside(n=7, x=rand:192:2:0..999, y=zeros:192) -check
// EXPECT: y = np.sort(x)[::-1] + np.arange(192) % 7 + x.sum() + x
kernel beside(n: u32, x: in u32[192], y: out u32[192]) launch(block = 64, grid = 1)
{
    shared own: u32[192];
    shared table: u32[dyn n];
    for (i in block.stride(192u32)) own[i] = x[i];
    for (i in block.stride(n)) table[i] = i;
    let sorted = block.merge_sort(block.load(x, 0, 3), >);
    let sum = block.reduce(sorted, +);                  // its barrier stands before own is read
    {
        shared turned: u32[192];
        unroll for (k in 0u32..3) turned[3 * thread.rank + k] = sorted[2 - k];
        block.sync();
        let mine = block.load<transpose>(turned, 0, 3);
        let back = block.exchange<striped_to_blocked>(block.exchange<blocked_to_striped>(mine));
        var out: u32[3];
        unroll for (k in 0u32..3) {
            let i = 3 * thread.rank + k;
            out[k] = back[2 - k] + table[i % n] + sum + own[i];
        }
        block.store(y, 0, out);
    }
}
