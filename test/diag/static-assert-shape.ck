// block.size is the kernel's own also behind an error in a kernel with another block.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel few() launch(block = 64, grid = 1) { static_assert(block.size == 32); }
kernel good() launch(block = 256, grid = 1) { static_assert(block.size == 256); }
// CHECK: :3:59: error: static_assert failed [static_assert]
// CHECK-NOT: error
