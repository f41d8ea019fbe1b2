// A made array that this machine has no room for is an error.
// REQUIRES: ckc, host
// RUN: not %ckc test --device=host %s 2>&1 | FileCheck %s
kernel k(n: u64, x: inout f32[n]) launch(block = 1, grid = 1) { x[0] = 1; }
// CALL: k(x=rand:9999999999999)
// EXPECT: x = [1]
// CHECK: 'x': rand:9999999999999 is more than the {{[0-9]+}} GiB of this machine's memory
