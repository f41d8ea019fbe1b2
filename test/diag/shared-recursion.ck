// Shared memory of a function that calls itself would have no end.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) { shared t: u32[32]; t[n] = n; if (n > 0) g(n - 1); }
fn g(n: u32) { f(n); }
kernel k(n: u32) { f(n); }
// CHECK: :3:4: error: 'f' has shared memory and calls itself [shared_recursion]
