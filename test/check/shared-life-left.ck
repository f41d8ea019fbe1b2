// A jump out of a loop takes along what was accessed before it: `a` may be read on behind `break` and `continue` while `b` is written.
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
kernel breaks(n: u32, y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    for (k in 0u32..9) { a[thread.rank] = k; if (k == n) break; block.sync(); y[thread.rank] = a[0]; block.sync(); }
    b[thread.rank] = 1; y[thread.rank] = b[thread.rank];
} // CHECK: "shared_bytes": 512
kernel continues(n: u32, y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    for (k in 0u32..9) { b[thread.rank] = k; block.sync(); a[thread.rank] = b[0]; if (k == n) continue; block.sync(); }
    y[thread.rank] = 1;
} // CHECK: "shared_bytes": 512
kernel ended(n: u32, y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    a[thread.rank] = 1; if (n == 1) return;
    block.sync(); b[thread.rank] = 2; y[thread.rank] = b[thread.rank];
} // CHECK: "shared_bytes": 256
