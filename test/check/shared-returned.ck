// Where some threads may have returned, in the iteration before too, no barrier goes in: what is declared gets bytes of its own.
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
// RUN: %ckc test %s --device=host -check
fn early(x: u32) -> u32
{
    block.sync();
    var acc = x;
    for (i in 0..3) {
        { shared a: u32[64]; a[thread.x] = acc + 1; acc += a[thread.x]; }
        { shared b: u32[64]; b[thread.x] = 2; acc += b[thread.x]; }
        if (acc > 100 * thread.x) return acc;
    }
    return acc;
}
kernel loop(y: out u32[64]) launch(block = 64, grid = 1) { y[thread.x] = early(0); }
// CALL: loop(y=zeros:64)
// EXPECT: y = where(arange(64) < 1, 3, 21)
// CHECK: "shared_bytes": 512
kernel some(x: in u32[64], y: inout u32[64]) launch(block = 64, grid = 1)
{
    { shared a: u32[64]; a[thread.x] = x[thread.x]; block.sync(); y[thread.x] = a[63 - thread.x]; }
    if (thread.x >= 40) return;
    { shared b: u32[64]; b[thread.x] = x[thread.x] + 1; y[thread.x] += b[thread.x]; }
}
// CALL: some(x=iota:64, y=zeros:64)
// EXPECT: y = where(arange(64) < 40, 64, 63 - arange(64))
// CHECK: "shared_bytes": 512
kernel all(n: u32, x: in u32[64], y: inout u32[64]) launch(block = 64, grid = 1)
{
    { shared a: u32[64]; a[thread.x] = x[thread.x]; block.sync(); y[thread.x] = a[63 - thread.x]; }
    if (n == 0) return;
    { shared b: u32[64]; b[thread.x] = x[thread.x] + 1; block.sync(); y[thread.x] += b[63 - thread.x]; }
}
// CHECK: "shared_bytes": 256
