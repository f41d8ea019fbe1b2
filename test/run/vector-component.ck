// A component by a number that is known when the kernel runs, of a vector in each kind of memory.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: k(at=3, x=rand:64x4, y=zeros:5x64)
// EXPECT: y = host
// CALL: k(at=0, x=iota:64x4, y=zeros:5x64) -check
// EXPECT: y = host
// CALL: one(at=2, x=iota:64x4, y=zeros:64)
// EXPECT: y = 4 * (63 - arange(64)) + (2 + arange(64)) % 4
const TABLE: f32x4[2] = [f32x4(1, 2, 3, 4), f32x4(5, 6, 7, 8)];

kernel k(at: u32, x: in f32[64, 4], y: inout f32[5, 64]) launch(block = 64, grid = 1)
{
    shared t: f32x4[64];
    let (i, c) = (thread.rank, (at + thread.rank) % 4);
    t[i] = x.load<4>(i, 0);
    block.sync();
    y[0, i] = t[63 - i][c];
    y[1, i] = x.load<4>(i, 0)[c];
    y[2, i] = TABLE[i % 2][c];
    var v = t[i ^ 1];
    v[c] = 100;
    y[3, i] = v[(c + 1) % 4] + v[c];
    let h = f16x8(1, 2, 3, 4, 5, 6, 7, f16(v.x));
    y[4, i] = f32(h[i % 8]);
}

kernel one(at: u32, x: in f32[64, 4], y: out f32[64]) launch(block = 64, grid = 1)
{
    shared t: f32x4[64];
    t[thread.rank] = x.load<4>(thread.rank, 0);
    block.sync();
    y[thread.rank] = t[63 - thread.rank][(at + thread.rank) % 4];
}
