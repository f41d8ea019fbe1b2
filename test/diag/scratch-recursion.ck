// Scratch memory of a function that calls itself would have no end.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) { scratch t: u32[4]; t[0] = n; if (n > 0) f(n - 1); }
kernel k(n: u32) { f(n); }
// CHECK: [[@LINE-1]]:20: error: 'f' has scratch memory and calls itself [scratch_recursion]
// CHECK: [[@LINE-3]]:56: note: for the scratch memory of 'f'
