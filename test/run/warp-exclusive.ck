// warp.exclusive_scan; t.mask; and floats of a warp are summed in one order, which large ones show.
// RUN: %run-test %s
// TOLERANCE: exact
// CALL: k(x=[1e8, 1, -1e8, 1] * 8, s=zeros:32, m=zeros:32, t=zeros:32)
// EXPECT: s = [100 + sum(range(i)) for i in range(32)]
// EXPECT: m = [255 << (i // 8 * 8) for i in range(32)]
// EXPECT: t = 16
kernel k(x: in f32[32], s: out u32[32], m: out u32[32], t: out f32[32]) launch(block = 32, grid = 1)
{
    let i = thread.x;
    s[i] = warp.exclusive_scan(i, +, 100);
    let eight = warp.tile<8>;
    m[i] = eight.mask;
    t[i] = warp.sum(x[i]);
}
