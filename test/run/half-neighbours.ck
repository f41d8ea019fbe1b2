// Eight f16 side by side, one by one, in an array and in shared memory: libNVVM 13.0 fails at vectors of
// them on targets before sm_100, and is then asked not to make any.
// RUN: %run-test %s
// CALL: k(x=iota:8, at=[7, 6, 5, 4, 3, 2, 1, 0], y=zeros:8)
// EXPECT: y = [21, 20, 19, 18, 17, 16, 15, 14]
kernel k(x: in f16[8], at: in u32[8], y: out f16[8]) launch(block = 8, grid = 1)
{
    shared s: f16[64];
    var v: f16[2, 4];
    let t = thread.x;
    for (i in 0..2) for (j in 0..4) v[i, j] = x[4 * i + j] + x[7];
    for (i in 0u32..8) s[8 * t + i] = x[7];
    block.sync();
    var most = x[0];
    for (i in 0u32..8) most = max(most, s[8 * i + t]);
    y[t] = v[at[t] / 4, at[t] % 4] + most;
}
