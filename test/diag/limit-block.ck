// How many registers leave room for so many blocks depends on the block: it has to be constant, and to fit.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
@blocks_per_sm(2) kernel a(n: u32) launch(block = n, grid = 1) {}
@blocks_per_sm(2) kernel b() {}
@blocks_per_sm(3) kernel c() launch(block = (32, 32), grid = 1) {}
@blocks_per_sm(2) kernel d() launch(block = (32, 32), grid = 1) {}
// CHECK: :3:1: error: '@blocks_per_sm' needs a kernel whose launch(block = ...) is constant [limit_block]
// CHECK: :4:1: error: '@blocks_per_sm' needs a kernel whose launch(block = ...) is constant [limit_block]
// CHECK: :5:1: error: 3 blocks of 1024 threads are 3072, a multiprocessor has 2048 [limit_threads]
// CHECK-NOT: :6:
