// A struct differs as what it is made of does: arguments, defaults, methods, elements of arrays.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
struct S { a: u32; b: u32 = thread.x; fn double -> u32 = 2 * self.a; }
struct G<T: type> { a: T; fn get() -> T = self.a; }
fn made(v: u32) -> S = S(v, 0);
kernel k(n: u32) launch(block = 64, grid = 1)
{
    if (S(n, 1).a > 3) block.sync();
    if (made(n).double > 3) block.sync();
    if (G(n).get() > 3) block.sync();
    let all = [S(n, 1), S(b = 2, a = n)];
    if (all[n % 2].b > 3) block.sync();
    if (S(thread.x, 1).a > 3) block.sync();
    let s = S(n);
    if (s.b > 3) block.sync();
    if (S(b = 1, a = thread.x).double > 3) block.sync();
    if (G(thread.x).get() > 3) block.sync();
    let some = [S(n, 1), S(b = 2, a = thread.x)];
    if (some[0].a > 3) block.sync();
    if (made(thread.x).a > 3) block.sync();
}
// CHECK-NOT: error:
// CHECK: constructor.ck:13:9: error: {{.*}} [divergent]
// CHECK: constructor.ck:15:9: error: {{.*}} [divergent]
// CHECK: note: 's' gets its value here
// CHECK: note: 'thread.x' differs between threads
// CHECK: constructor.ck:16:9: error: {{.*}} [divergent]
// CHECK: constructor.ck:17:9: error: {{.*}} [divergent]
// CHECK: constructor.ck:19:9: error: {{.*}} [divergent]
// CHECK: constructor.ck:20:9: error: {{.*}} [divergent]
