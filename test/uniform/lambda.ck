// A lambda's value differs as what it captures does; what an atomic gives differs in each thread.
// RUN: not %ckc %s --stop-after=uniform --target=host 2>&1 | FileCheck %s
kernel k(n: u32, x: inout u32[4]) launch(block = 64, grid = 1)
{
    let even = |v| v + n;
    if (even(1u32) > 2) block.sync();
    let old = atomic.add(x[0], 1);
    if (old == 3) block.sync();
    let odd = |v: u32| v + thread.x;
    if (odd(1) > 2) block.sync();
}
// CHECK-NOT: lambda.ck:6
// CHECK: lambda.ck:8:9: error: {{.*}} [divergent]
// CHECK-NOT: lambda.ck:6
// CHECK: lambda.ck:10:9: error: {{.*}} [divergent]
