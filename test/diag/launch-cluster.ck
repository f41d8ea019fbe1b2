// A cluster has 1 to 16 blocks, as far as that is known.
// RUN: not %ckc %s --target=sm_90 --stop-after=check 2>&1 | FileCheck %s
kernel a() launch(block = 32, grid = 32, cluster = 17) {}
kernel b() launch(block = 32, grid = 32, cluster = (4, 8)) {}
kernel c() launch(block = 32, grid = 32, cluster = 0) {}
kernel d(n: u32) launch(block = 32, grid = 32, cluster = (n, 20)) {}
kernel e() launch(block = 32, grid = 32, cluster = 16) {}
// CHECK: [[#@LINE-5]]:52: error: a cluster of 17 blocks: it needs 1 to 16 [launch_cluster]
// CHECK: error: a cluster of 32 blocks
// CHECK: error: a cluster of 0 blocks
// CHECK: error: a cluster of 20 blocks
// CHECK-NOT: error:
