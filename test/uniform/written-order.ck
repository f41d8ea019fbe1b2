// An array has what was written before it is read: by an argument, an operand, an index, a loop's condition.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
fn set(s: inout u32[], v: u32) -> u32 { s[0] = v; return 0; }
fn first(s: in u32[], i: u32) -> u32 = s[0];
kernel k(n: u32) launch(block = 64, grid = 1)
{
    var a: u32[2];
    if (first(a, set(a, n)) > 3) block.sync();
    if (first(a, set(a, thread.rank)) > 3) block.sync();
    var b: u32[2];
    if (b[set(b, n)] > 3) block.sync();
    if (b[set(b, thread.rank)] > 3) block.sync();
    let zero = [0u32, 0];
    var c: u32[2];
    while (set(c, n) > n) c = zero;
    if (c[0] > 3) block.sync();
    while (set(c, thread.rank) > n) c = zero;
    if (c[0] > 3) block.sync();
    var d: u32[2];
    if (d[0] + set(d, thread.rank) > 3) block.sync();
    var e: u32[2];
    if (set(e, thread.rank) + e[0] > 3) block.sync();
}
// CHECK-NOT: error:
// CHECK: written-order.ck:9:9: error: {{.*}} [divergent]
// CHECK: written-order.ck:12:9: error: {{.*}} [divergent]
// CHECK: written-order.ck:18:9: error: {{.*}} [divergent]
// CHECK: written-order.ck:22:9: error: {{.*}} [divergent]
// CHECK-NOT: error:
