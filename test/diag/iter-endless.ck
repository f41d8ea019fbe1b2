// What has no end has no length: .take(n) gives it one.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: in f32[4], y: out u64[3]) launch(block = 1, grid = 1)
{
    y[0] = count(3).take(2).len + x.zip(count()).len;
    y[1] = count().map(|v| v * 2).zip(constant(1)).len;
    for (v in tabulate(|i| i).drop(3)) y[2] = v;
}
// CHECK: iter-endless.ck:6:{{.*}} error: {{.*}}this iterator has no end: .take(n) gives it one [static_assert]
