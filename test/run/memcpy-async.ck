// What memcpy_async copies is in shared memory behind its wait: whole chunks, and parts with zeros.
// RUN: %run-test %s
kernel chunks(n: u32, x: in f32[n], v: in u8[256], y: out f32[128], w: out u8[256])
    launch(block = 32, grid = 1)
{
    shared t: f32[128];
    shared b: u8[256];
    let (i, j) = (4 * thread.x, 8 * thread.x);
    memcpy_async<4>(t[i], x[i < n ? i : 0], valid = i < n ? n - i : 0);
    pipeline.commit();
    memcpy_async<8>(b[j], v[j], valid = thread.x % 9);
    pipeline.commit();
    pipeline.wait(prior = 1);
    block.sync();
    for (k in block.stride(128u32)) y[k] = t[127 - k];
    pipeline.wait();
    block.sync();
    for (k in block.stride(256u32)) w[k] = b[255 - k];
}
// CALL: chunks(x=iota:128, v=iota:256, y=zeros:128, w=zeros:256)
// EXPECT: y = x[::-1]
// EXPECT: w = (v * (np.arange(256) % 8 < np.arange(256) // 8 % 9))[::-1]
// CALL: chunks(x=iota:50, v=iota:256, y=ones:128, w=zeros:256) -check
// EXPECT: y = np.concatenate([x, [0] * 78])[::-1]
kernel pairs(x: in f32x2[64], y: out f32x2[64]) launch(block = 64, grid = 1)
{
    shared t: f32x2[64];
    memcpy_async(t[thread.x], x[thread.x]);
    pipeline.wait();                        // takes what is not committed too
    block.sync();
    y[thread.x] = t[63 - thread.x];
}
// CALL: pairs(x=iota:64, y=zeros:64)
// EXPECT: y = x[::-1]
