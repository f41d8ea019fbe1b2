// A variable of a slice differs as the slices do that are assigned to it, and as the conditions.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
kernel k(x: in u32[8], y: in u32[8]) launch(block = 64, grid = 1)
{
    var s = x[0..2];
    s = y[2..4];
    if (s[0] > 3) block.sync();
    if (thread.rank > 3) s = x[4..6];
    if (s[0] > 3) block.sync();
    var t = y[0..2];
    t = y[0..thread.rank];
    for (i in 0..t.len) block.sync();
    var u = x[0..2];
    for (i in 0..4) { if (u[0] > 3) block.sync(); u = y[thread.rank..8]; }
}
// CHECK-NOT: error:
// CHECK: view-assigned.ck:9:9: error: {{.*}} [divergent]
// CHECK: note: 's' gets its value here
// CHECK: view-assigned.ck:12:15: error: {{.*}} [divergent]
// CHECK: view-assigned.ck:14:27: error: {{.*}} [divergent]
// CHECK-NOT: error:
