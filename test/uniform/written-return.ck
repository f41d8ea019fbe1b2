// Threads that have left a function write nothing: what the others write differs from what they have.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
fn set(s: inout u32[], v: u32) { s[0] = v; }
fn early(s: inout u32[], n: u32) { if (n > 3) return; s[0] = 5; }
fn through(s: inout u32[], n: u32) { if (n > 3) return; set(s, 5); }
fn in_loop(s: inout u32[], n: u32) { for (i in 0..n) { if (i > 3) return; } s[0] = 5; }
fn before(s: inout u32[], n: u32) { s[0] = 5; if (n > 3) return; }
kernel k(n: u32) launch(block = 64, grid = 1)
{
    var a: u32[2];
    early(a, n);
    before(a, thread.rank);
    if (a[0] > 3) block.sync();
    var b: u32[2];
    early(b, thread.rank);
    if (b[0] > 3) block.sync();
    var c: u32[2];
    through(c, thread.rank);
    if (c[0] > 3) block.sync();
    var d: u32[2];
    in_loop(d, thread.rank);
    if (d[0] > 3) block.sync();
}
// CHECK-NOT: error:
// CHECK: written-return.ck:16:9: error: {{.*}} [divergent]
// CHECK: note: 'thread.rank' differs between threads
// CHECK: written-return.ck:19:9: error: {{.*}} [divergent]
// CHECK: written-return.ck:22:9: error: {{.*}} [divergent]
// CHECK-NOT: error:
