// What a function writes to the elements of a span that it is given, its caller's array has.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
fn fill(a: inout u32[], v: u32) { for (i in 0..a.len) a[i] = v; }
fn fill_by_thread(a: inout u32[]) { fill(a, thread.x); }
fn some(a: inout u32[], v: u32) -> u32 { if (v > 3) a[0] = 1; return a[0]; }
fn down(n: u32, a: inout u32[]) { if (n > 0) down(n - 1, a); }
fn sum(a: in u32[]) -> u32 { var s = 0u32; for (i in 0..a.len) s += a[i]; return s; }
kernel k(n: u32) launch(block = 64, grid = 1)
{
    var a: u32[4];
    fill(a, n);
    if (sum(a) > 3) block.sync();
    if (some(a[1..2], n) > 3) block.sync();
    fill(a, thread.x);
    if (a[0] > 3) block.sync();
    var b: u32[4];
    fill_by_thread(b[0..2]);
    if (sum(b) > 3) block.sync();
    var c: u32[4];
    if (some(c, thread.x) > 3) block.sync();
    var d: u32[4];
    some(d, thread.x);
    if (d[0] > 3) block.sync();
    var e: u32[4];
    down(n, e);
    if (e[0] > 3) block.sync();
}
// CHECK-NOT: error:
// CHECK: written-span.ck:15:9: error: {{.*}} [divergent]
// CHECK: note: 'a' gets its value here
// CHECK: written-span.ck:18:9: error: {{.*}} [divergent]
// CHECK: written-span.ck:20:9: error: {{.*}} [divergent]
// CHECK: written-span.ck:23:9: error: {{.*}} [divergent]
// CHECK: written-span.ck:26:9: error: {{.*}} [divergent]
// CHECK-NOT: error:
