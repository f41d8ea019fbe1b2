// Each part of a tuple or struct differs as what it is made of does; so do the parts of results.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
struct P { x: u32; y: u32; }
fn both(a: u32, b: u32) -> (u32, P) = (a, P(b, 1));
kernel k(n: u32) launch(block = 64, grid = 1)
{
    let (e, total) = block.exclusive_scan_total(1u32, +);
    if (total > 3) block.sync();
    let t = both(thread.x, n);
    for (i in 0..t[1].x) block.sync();
    while (t[1].y > 3) block.sync();
    var p = P(n, thread.x);
    var (a, b) = (p.x, p.y);
    if (a > 3 && p.x > 3) block.sync();
    (a, b) = (b, a);
    if (b > 3) block.sync();
    if (e > 3) block.sync();
    if (t[0] > 3) block.sync();
    if (a > 3) block.sync();
    p.x = e;
    if (p.x > 3) block.sync();
    var q = (n, 0u32);
    if (thread.x > 3) q = (0, 1);
    if (q[1] > 3) block.sync();
    var r = P(0, 0);
    var s = [r, r];
    s[0] = P(1, thread.x);
    if (s[1].y > 3) block.sync();
    for (i in 0..n) { if (r.x > 3) block.sync(); r = P(thread.x, 0); }
}
// CHECK-NOT: error:
// CHECK: parts.ck:17:9: error: {{.*}} [divergent]
// CHECK: parts.ck:18:9: error: {{.*}} [divergent]
// CHECK: parts.ck:19:9: error: {{.*}} [divergent]
// CHECK: parts.ck:21:9: error: {{.*}} [divergent]
// CHECK: parts.ck:24:9: error: {{.*}} [divergent]
// CHECK: parts.ck:28:9: error: {{.*}} [divergent]
// CHECK: parts.ck:29:27: error: {{.*}} [divergent]
