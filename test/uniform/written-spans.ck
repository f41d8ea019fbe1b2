// A function may read what it wrote by one span, and write it by another one, or give it as its result.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
fn set(s: inout u32[], o: inout u32[], v: u32) { o[0] = v; s[0] = o[0]; }
fn through(s: inout u32[], o: inout u32[]) { set(s, o, thread.rank); }
fn alias(s: inout u32[], o: in u32[]) -> u32 { s[0] = thread.rank; return o[0]; }
fn twice(s: inout u32[]) -> u32 = alias(s, s);
fn sync(s: inout u32[], o: in u32[]) { s[0] = thread.rank; if (o[0] > 3) block.sync(); }
fn count(s: inout u32[]) { atomic.add(s[0], 1); }
kernel k(n: u32) launch(block = 64, grid = 1)
{
    var (a, b) = ([0u32, 0], [0u32, 0]);
    set(a, b, n);
    if (a[0] > 3) block.sync();
    through(a, b);
    if (a[0] > 3) block.sync();
    var (c, d) = ([0u32, 0], [0u32, 0]);
    if (alias(c, d) > 3) block.sync();
    if (alias(d, d[0..1]) > 3) block.sync();
    var (e, f) = ([0u32, 0], [0u32, 0]);
    if (twice(e) > 3) block.sync();
    sync(e, f);
    sync(f, f);
    var g = [0u32, 0];
    count(g);
    if (g[0] > 3) block.sync();
}
// CHECK-NOT: error:
// CHECK: written-spans.ck:15:9: error: {{.*}} [divergent]
// CHECK: written-spans.ck:18:9: error: {{.*}} [divergent]
// CHECK: written-spans.ck:20:9: error: {{.*}} [divergent]
// CHECK: written-spans.ck:22:13: error: {{.*}} [divergent_argument]
// CHECK: written-spans.ck:25:9: error: {{.*}} [divergent]
// CHECK-NOT: error:
