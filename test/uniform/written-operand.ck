// What an operand writes that only some threads evaluate differs between them.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
fn set(s: inout u32[]) -> bool { s[0] = 5; return true; }
kernel k(n: u32) launch(block = 64, grid = 1)
{
    let t = thread.rank;
    var a: u32[2];
    var ok = n > 3 && set(a);
    ok = n > 3 ? set(a) : true;
    if (a[0] > 3) block.sync();
    ok = t > 3 && set(a);
    if (a[0] > 3) block.sync();
    var b: u32[2];
    ok = t > 3 || set(b);
    if (b[0] > 3) block.sync();
    var c: u32[2];
    ok = t > 3 ? false : set(c);
    if (c[0] > 3) block.sync();
    var d: u32[2];
    ok = n > 3 && (t > 3 && set(d));
    if (d[0] > 3) block.sync();
}
// CHECK-NOT: error:
// CHECK: written-operand.ck:12:9: error: {{.*}} [divergent]
// CHECK: note: 'a' gets its value here
// CHECK: note: this condition decides about it
// CHECK: written-operand.ck:15:9: error: {{.*}} [divergent]
// CHECK: written-operand.ck:18:9: error: {{.*}} [divergent]
// CHECK: written-operand.ck:21:9: error: {{.*}} [divergent]
// CHECK-NOT: error:
