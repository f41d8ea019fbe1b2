// What warp.broadcast gives is known to be the same in the warp; what warp.shuffle gives is not.
// RUN: not %ckc %s --target=sm_90 --stop-after=uniform 2>&1 | FileCheck %s
kernel k(x: in f32[64])
{
    if (warp.broadcast(x[thread.x], 3) > 0) warp.sync();
    if (warp.shuffle(x[thread.x], 3) > 0) warp.sync();
}
// CHECK-NOT: :5:
// CHECK: :6:9: error: {{.*}} [divergent]
