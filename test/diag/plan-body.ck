// An algorithm that launches kernels runs on the host: what a thread would do has no place in it.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) { }
algorithm a(y: out u32[4]) { y[0] = 1; launch f(block = 32, grid = 1, 1); }
// CHECK: [[@LINE-1]]:30: error: 'a' launches kernels, and has no thread that could execute this [plan_statement]
// CHECK: hint: Its statements are let, const, scratch, launch, if, for and return.
algorithm b(n: u32) { launch f(block = 32, grid = 1, n); b(n - 1); }
// CHECK: [[@LINE-1]]:58: error: 'b' launches kernels and calls itself [plan_recursion]
algorithm c(n: u32) { for (i in (0..n).step(2)) { launch f(block = 32, grid = 1, i); } }
// CHECK: [[@LINE-1]]:28: error: a loop around a launch counts up, one by one [plan_loop]
kernel k() { c(1); }
// CHECK: [[@LINE-1]]:14: error: 'c' launches kernels: only an algorithm calls it [plan_call]
kernel p() { scratch persistent t: u64[4]; }
// CHECK: [[@LINE-1]]:33: error: 't' is kept or returned by an algorithm that launches kernels [scratch_plan]
