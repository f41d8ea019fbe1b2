// A grid can't depend on what an earlier launch computes; a condition can, and the kernel looks at it.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) { }
algorithm e(x: in u32[1]) {
    if (x[0] > 3) { launch f(block = 32, grid = 1, 1); }
    launch f(block = 32, grid = x[0], 1);
}
// CHECK: [[@LINE-2]]:33: error: the grid of a launch depends on what the device computes [plan_device]
// CHECK-NOT: error:
