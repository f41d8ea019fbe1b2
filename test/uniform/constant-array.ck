// What is read from a constant array is the same where the index is.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
const t: u32[4] = [1, 2, 3, 4];
kernel k(n: u32, y: out u32[64]) launch(block = 64, grid = 1)
{
    if (t[n % 4] == 2) block.sync();
    if (t[thread.x % 4] == 2) block.sync();
}
// CHECK-NOT: :6:
// CHECK: constant-array.ck:7:9: error: {{.*}} [divergent]
