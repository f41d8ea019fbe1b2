// Iterators are structs: how far they go, and what they give, differs as what they are made of does.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
kernel k(n: u32, x: in f32[n]) launch(block = 64, grid = 1)
{
    for (v in x.take(n)) block.sync();
    for (v in x.take(4)) if (v > 1) block.sync();
    if (constant(n)[0] > 3 && x[0..n].len > 3) block.sync();
    for (v in x.take(thread.x)) block.sync();
    if (constant(thread.x)[0] > 3) block.sync();
    if (x[0..thread.x].len > 3) block.sync();
}
// CHECK-NOT: error:
// CHECK: iterator.ck:8:15: error: {{.*}} [divergent]
// CHECK: iterator.ck:9:9: error: {{.*}} [divergent]
// CHECK: iterator.ck:10:9: error: {{.*}} [divergent]
