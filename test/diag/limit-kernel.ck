// What a launch may use is said of kernels.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
@registers(64)
fn f() {}
@blocks_per_sm(2)
fn g() {}
// CHECK: :3:1: error: '@registers' is for kernels [limit_kernel]
// CHECK: :5:1: error: '@blocks_per_sm' is for kernels [limit_kernel]
