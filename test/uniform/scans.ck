// Scans and reductions of the library are together on GPUs as on the host, whatever they are made of.
// RUN: not %ckc %s --target=host --stop-after=uniform 2>&1 | FileCheck %s
// RUN: not %ckc %s --target=sm_75 --stop-after=uniform 2>&1 | FileCheck %s
// RUN: not %ckc %s --target=sm_90 --stop-after=uniform 2>&1 | FileCheck %s
kernel k(x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1)
{
    let (v, i) = (x[thread.rank], thread.rank);
    if (i % 2 == 0) y[0] = warp.inclusive_scan(v, +);
    if (i % 2 == 0) y[1] = f32(warp.inclusive_scan(i, +));
    if (i % 2 == 0) y[2] = f32(warp.inclusive_scan(i32(i), +));
    if (i % 2 == 0) y[3] = f32(warp.exclusive_scan(u64(i), +));
    if (i % 2 == 0) y[4] = f32(warp.exclusive_scan(i64(i), +));
    if (i % 2 == 0) y[5] = warp.exclusive_scan(v, max);
    if (i % 2 == 0) y[6] = warp.inclusive_scan_total(v, +)[1];
    if (i % 2 == 0) y[7] = warp.tile<8>.inclusive_scan(v, +);
    if (i % 2 == 0) y[8] = f32(warp.tile<16>.exclusive_scan(i, +));
    if (i % 2 == 0) y[9] = warp.reduce(v, +);
    if (i % 2 == 0) y[10] = warp.inclusive_scan([v, v], +)[1];
    if (i % 2 == 0) y[11] = f32(warp.reduce(i, |a, b| a * b));
    if (i % 2 == 0) y[12] = block.inclusive_scan(v, +);
    if (i % 2 == 0) y[13] = block.reduce(v, +);
}
// CHECK-COUNT-7: error: not all threads of the warp come to {{.*}} [divergent]
// CHECK-COUNT-2: error: not all threads of the tile come to {{.*}} [divergent]
// CHECK-COUNT-3: error: not all threads of the warp come to {{.*}} [divergent]
// CHECK-COUNT-2: error: not all threads of the block come to {{.*}} [divergent]
// CHECK-NOT: error:
