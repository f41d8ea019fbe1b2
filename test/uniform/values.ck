// Structs, lambdas and pointers carry the difference of what they are made of.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
struct P { x: u32; y: u32; fn sum -> u32 = self.x + self.y; }
fn +(a: P, b: P) -> P = P(a.x + b.x, a.y + b.y);
kernel k(n: u32, z: in u32[n])
{
    shared s: u32[4];
    var p = P(n, 2);
    p += P(1, 1);
    if (p.sum > 3) block.sync();
    let f = |v: u32| v + n;
    if (f(2) > 4) block.sync();
    let t = (n, thread.x);
    if (t[1] > 4) block.sync();
    let g = |v: u32| v + thread.x;
    if (g(2) > 4) block.sync();
    p.y = thread.x;
    if (p.sum > 3) block.sync();
}
// CHECK: values.ck:14:9: error: {{.*}} [divergent]
// CHECK: values.ck:16:9: error: {{.*}} [divergent]
// CHECK: values.ck:18:9: error: {{.*}} [divergent]
// CHECK: note: 'p' gets its value here
// CHECK: note: 'thread.x' differs between threads
