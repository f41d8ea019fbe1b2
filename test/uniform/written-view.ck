// A variable that a span or a pointer is kept of is written through it, at any time.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
kernel k(n: u32, x: in u32[n]) launch(block = 64, grid = 1)
{
    var a: u32[4];
    let s = a[0..2];
    s[0] = n;
    if (a[0] > 3 && s[1] > 3) block.sync();
    var b: u32[4];
    b.store(0, x.load<4>(0));
    b[0..2][1] = n;
    if (b[0..2][0] > 3) block.sync();
    var c: u32[4];
    let t = c[0..4][1..3];
    t[0] = thread.x;
    if (c[1] > 3) block.sync();
    var d: u32[4];
    let e = d[0..4];
    d[0] = thread.x;
    if (e[0] > 3) block.sync();
    var v = n;
    address(v)[0] = thread.x;
    if (v > 3) block.sync();
    b.store(0, x.load<4>(thread.x));
    if (b[0] > 3) block.sync();
    var f: u32[4];
    let z = zip(f[0..2], f[2..4]);
    z[0] = (thread.x, n);
    if (f[2] > 3) block.sync();
}
// CHECK-NOT: error:
// CHECK: written-view.ck:16:9: error: {{.*}} [divergent]
// CHECK: written-view.ck:20:9: error: {{.*}} [divergent]
// CHECK: written-view.ck:23:9: error: {{.*}} [divergent]
// CHECK: written-view.ck:25:9: error: {{.*}} [divergent]
// CHECK: written-view.ck:29:9: error: {{.*}} [divergent]
