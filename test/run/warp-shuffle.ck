// A shuffle gives another lane's value of any scalar type; beyond the warp, the lane's own.
// REQUIRES: ckc
// RUN: %run-test %s
// CALL: shuffles(y=zeros:32, d=zeros:32, s=zeros:32)
// EXPECT: y = [16 * i + (i + 2 if i < 30 else i) for i in range(32)]
// EXPECT: d = [float((i + 3) % 32) for i in range(32)]
// EXPECT: s = [-(i ^ 5) for i in range(32)]
// TOLERANCE: exact
kernel shuffles(y: out u32[32], d: out f64[32], s: out i8[32]) launch(block = 32, grid = 1)
{
    let i = thread.rank;
    y[i] = 16 * i + warp.shuffle_down(i, 2);
    d[i] = warp.shuffle(f64(i), i + 3);
    s[i] = warp.shuffle_xor(i8(0) - i8(i), 5);
}
// CALL: more(up=zeros:64, b=zeros:64, p=zeros:64)
// EXPECT: up = [i if i % 32 == 0 else i - 1 for i in range(64)]
// EXPECT: b = [7.5 + (i // 32) * 32 for i in range(64)]
// EXPECT: p = [(i ^ 1) % 3 == 0 for i in range(64)]
kernel more(up: out u64[64], b: out f32[64], p: out u32[64]) launch(block = 64, grid = 1)
{
    let i = thread.rank;
    up[i] = warp.shuffle_up(u64(i), 1);
    b[i] = warp.broadcast(f32(i) + 0.5, 7);
    p[i] = u32(warp.shuffle_xor(i % 3 == 0, 1));
}
