// What waits does not call itself; the function named is in the circle.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn g(n: u32) { f(n); }
fn f(n: u32) { if (n > 0) { block.sync(); h(n - 1); } }
fn h(n: u32) { f(n); }
kernel k(n: u32) { g(n); }
// CHECK: error: '{{[fh]}}' waits for other threads and calls itself [waiting_recursion]
// CHECK: hint: Write a loop.
