// A part of a union in shared memory reads the bytes that another part was written through, in a kernel, a function, a block; a checked build has nothing against it.
// RUN: %run-test %s
// RUN: %ckc test %s --device=host -check | FileCheck %s
struct Both { keys: u32[64]; flags: u8[64]; }
fn high(v: u32) -> u32 {
    shared union { whole: u32[64]; halves: u16[64, 2]; }
    whole[thread.rank] = v;
    block.sync();
    return u32(halves[63 - thread.rank, 1]);
}
kernel layouts(x: in f32[64], y: out u32[64]) launch(block = 64, grid = 1)
{
    shared union { tile: f32[64, 2]; bits: u32[128]; both: Both; }
    let t = thread.rank;
    tile[t, 0] = x[t];
    var s = bits[2 * t];
    block.sync();
    both.keys[t] = s;
    both.flags[t] = u8(t);
    block.sync();
    y[t] = both.keys[63 - t] + both.flags[t];
}
kernel inner(y: out u32[64]) launch(block = 64, grid = 1)
{
    var s = high(thread.rank << 16);
    { shared union { c: u64[32]; d: u32[64]; } d[thread.rank] = s; block.sync(); s = u32(c[thread.rank / 2] >> 32); }
    y[thread.rank] = s;
}
// CALL: layouts(x=ones:64, y=zeros:64)
// EXPECT: y = 1065353216 + arange(64)
// CALL: inner(y=zeros:64)
// EXPECT: y = 62 - arange(64) // 2 * 2
// CHECK: 2 passed, 0 failed
