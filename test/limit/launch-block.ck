// A block has 1024 threads, 64 along z, not more.
// RUN: split-file %s %t
// RUN: %ckc %t/good.ck --stop-after=gen -o %t/out
// RUN: not %ckc %t/bad.ck --stop-after=gen 2>&1 | FileCheck %s
//--- good.ck
kernel a() launch(block = 1024) {}
kernel b() launch(block = (4, 4, 64)) {}
//--- bad.ck
kernel a() launch(block = (1, 1025)) {}
kernel b() launch(block = (1, 1, 65)) {}
// CHECK: error: a block of 1025 threads: it needs 1 to 1024, at most 64 along z [launch_block]
// CHECK: error: a block of 65 threads
