// Outermost variables share bytes where a barrier of the whole block stands between their uses: written, in a loop, a primitive's, a function's, on both ways of a condition.
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
fn waits(v: u32) -> u32 { block.sync(); return v; }
fn sum_of(x: in u32[]) -> u32 { var s = 0u32; for (i in 0..64) s += x[i]; return s; }
kernel written(n: u32, y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: f64[16]; shared c: u8[128];
    let t = thread.rank;
    a[t] = t; block.sync(); let v = a[63 - t]; block.sync();
    b[t % 16] = 1; c[t] = 2; block.sync(); y[t] = v + u32(b[0]) + c[1];
} // CHECK: "shared_bytes": 256
kernel loops(n: u32, y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    var v = thread.rank;
    for (k in 0..n) { a[thread.rank] = v; block.sync(); v = a[k % 64]; block.sync(); }
    b[thread.rank] = v; block.sync(); y[thread.rank] = b[63 - thread.rank];
} // CHECK: "shared_bytes": 256
kernel primitive(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    a[thread.rank] = thread.rank;
    let v = block.reduce(a[thread.rank], +);
    b[thread.rank] = v;
    block.sync(); y[thread.rank] = b[63 - thread.rank];
} // CHECK: "shared_bytes": {{2[5-9][0-9]|3[0-9][0-9]}},
kernel called(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    let view = a[0..64];
    a[thread.rank] = 1; block.sync(); let v = waits(sum_of(view));
    b[thread.rank] = v; block.sync(); y[thread.rank] = b[63 - thread.rank];
} // CHECK: "shared_bytes": 256
kernel branches(n: u32, y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    if (n == 0) { a[thread.rank] = 1; block.sync(); y[thread.rank] = a[0]; }
    else { b[thread.rank] = 2; block.sync(); y[thread.rank] = b[0]; }
} // CHECK: "shared_bytes": 256
