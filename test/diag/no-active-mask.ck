// A tile has no active_mask, the warp has.
// RUN: not %ckc %s --target=host --stop-after=check 2>&1 | FileCheck %s
kernel k(y: out u32[2]) { y[0] = warp.active_mask(); y[1] = warp.tile<8>.active_mask(); }
// CHECK: :3:74: error: 'warp.tile<8>' has no member 'active_mask' [no_member]
// CHECK-NOT: error:
