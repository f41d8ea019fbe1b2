// A variable that holds a slice writes to the array it is of, behind a loop that has read it too.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
kernel k(x: inout u32[64]) launch(block = 64, grid = 1)
{
    var v: u32[2];
    var s = v[0..2];
    var sum = 0u32;
    for (i in 0..2) sum += s[0];
    s[0] = 5;
    if (v[0] > 3) block.sync();
    var w: u32[2];
    var t = w[0..2];
    var u = t[0..1];
    for (i in 0..2) for (j in 0..2) sum += t[0] + u[0];
    u[0] = thread.rank;
    if (w[0] > 3) block.sync();
    x[thread.rank] = sum;
}
// CHECK-NOT: error:
// CHECK: view-loop.ck:16:9: error: {{.*}} [divergent]
// CHECK-NOT: error:
