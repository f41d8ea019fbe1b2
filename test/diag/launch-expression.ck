// launch is worked out from parameters and constants.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn g(n: u32) -> u32 = n;
kernel k(n: u32, x: in u32[n]) launch(block = 32, grid = (x[0], g(n), n)) {}
// CHECK: [[@LINE-1]]:59: error: this is worked out before the kernel runs: it can use parameters and constants [launch_expression]
// CHECK: [[@LINE-2]]:65: error: this is worked out
// CHECK-NOT: error:
