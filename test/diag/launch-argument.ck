// launch has block, grid and cluster.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32) launch(threads = 256) {}
kernel j(n: u32) launch(256) {}
// CHECK: error: 'threads' is not a part of launch: they are block, grid and cluster [launch_argument]
// CHECK: error: '256' is not a part of launch: they are block, grid and cluster [launch_argument]
