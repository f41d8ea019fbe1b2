// What is launched has no result, and its grid is known to the host.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) { }
fn g(n: u32) -> u32 = n;
algorithm c(n: u32) { launch g(block = 32, grid = n, n); }
// CHECK: [[@LINE-1]]:30: error: what is launched returns nothing, this one returns 'u32' [launch_result]
