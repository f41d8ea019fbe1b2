// A block has 1 to 1024 threads, 64 along z.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel a() launch(block = 1025) {}
kernel b() launch(block = (32, 33)) {}
kernel c() launch(block = 0) {}
kernel d() launch(block = (1, 1, 65)) {}
kernel e(n: u32) launch(block = (n, 2000)) {}
// CHECK: error: a block of 1025 threads: it needs 1 to 1024, at most 64 along z [launch_block]
// CHECK: error: a block of 1056 threads
// CHECK: error: a block of 0 threads
// CHECK: error: a block of 65 threads
// CHECK: error: a block of 2000 threads
