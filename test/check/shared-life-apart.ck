// Outermost variables lie apart where no barrier need stand between their uses, or one lives on around the other's.
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
kernel none(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    a[thread.rank] = 1; block.sync(); let v = a[0]; b[thread.rank] = v; y[thread.rank] = b[thread.rank];
} // CHECK: "shared_bytes": 512
kernel turns(n: u32, y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    for (k in 0..n) { y[thread.rank] = a[k % 64]; block.sync(); b[thread.rank] = k; block.sync(); a[thread.rank] = b[0]; block.sync(); }
} // CHECK: "shared_bytes": 512
kernel around(n: u32, y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    for (k in 0..n) { b[thread.rank] = k; block.sync(); y[thread.rank] = b[0]; a[thread.rank] = k; }
} // CHECK: "shared_bytes": 512
kernel divergent(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    if (thread.rank < 9) a[thread.rank] = 1; else b[thread.rank] = 2;
    y[thread.rank] = 1;
} // CHECK: "shared_bytes": 512
kernel one_way(n: u32, y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    a[thread.rank] = 1; if (n == 1) block.sync(); b[thread.rank] = 2; y[thread.rank] = b[thread.rank];
} // CHECK: "shared_bytes": 512
kernel maybe(n: u32, y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    a[thread.rank] = 1; let c = n == 1 && block.any(n == 2); b[thread.rank] = u32(c); y[thread.rank] = b[thread.rank];
} // CHECK: "shared_bytes": 512
kernel warps(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    a[thread.rank] = 1; warp.sync(); b[thread.rank] = 2; y[thread.rank] = b[thread.rank];
} // CHECK: "shared_bytes": 512
