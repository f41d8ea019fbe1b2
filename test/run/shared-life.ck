// Outermost variables that share bytes hold what was written last: behind a primitive, a loop, a view, a lambda; in a checked build, too.
// RUN: %run-test %s
// RUN: %ckc test %s --device=host -check | FileCheck %s
fn sum(x: in u32[]) -> u32 { var s = 0u32; for (i in 0..64) s += x[i]; return s; }
kernel k(n: u32, y: out u32[64]) launch(block = 64, grid = 1)
{
    shared tile: u32[64];
    shared wide: u64[64];
    shared bytes: u8[256];
    shared last: u32[64];
    let t = thread.rank;
    tile[t] = t;
    block.sync();
    var v = sum(tile[0..64]) + tile[63 - t];
    v += block.reduce(v, max);
    wide[t] = v;
    for (k in 0..n) {
        block.sync();
        v += u32(wide[(t + k) % 64]);
    }
    block.sync();
    let view = bytes[64..128];
    view[t] = u8(t);
    block.sync();
    let read = |i| u32(view[63 - i]);
    v += read(t);
    block.sync();
    last[t] = v;
    block.sync();
    y[t] = last[63 - t];
}
// CALL: k(n=2, y=zeros:64)
// EXPECT: y = 12537 - 3 * (63 - arange(64)) - (64 - arange(64)) % 64
// CHECK: 1 passed, 0 failed
