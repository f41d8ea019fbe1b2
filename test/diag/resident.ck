// The number of resident blocks is known to launch(grid = ...) alone.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel a() launch(block = resident, grid = 1) {}
// CHECK: [[@LINE-1]]:27: error: 'resident' stands in launch(grid = ...) alone [resident]
// CHECK: hint: In a kernel, grid.dim.x says how many blocks there are.
kernel b(x: out u32[1]) { x[0] = resident; }
// CHECK: [[@LINE-1]]:34: error: 'resident' stands
