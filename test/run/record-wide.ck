// A struct with a wide vector lies at a multiple of 16 bytes in shared memory, no more, and is read so.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: k(x=iota:64, y=zeros:2x64)
// EXPECT: y = [x[::-1], [7] * 64]
struct Wide { v: f64x8; n: i16; }

kernel k(x: in f64[64], y: inout f64[2, 64]) launch(block = 64, grid = 1)
{
    shared one: i64[2];
    shared all: Wide[64];
    if (thread.rank < 2) one[thread.rank] = 7;
    all[thread.rank] = Wide(f64x8(x[thread.rank]), 3);
    block.sync();
    let a = all[63 - thread.rank];
    block.sync();
    y[0, thread.rank] = a.v[3];
    y[1, thread.rank] = f64(one[thread.rank % 2]);
}
