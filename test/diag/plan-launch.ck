// What a launch says: a call of a function without a result, a constant block, a grid.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) { }
algorithm a() { launch f(block = 32, 1); }
// CHECK: [[@LINE-1]]:24: error: the launch does not say its grid [plan_shape]
algorithm b(n: u32) { launch f(block = n, grid = 1, n); }
// CHECK: [[@LINE-1]]:40: error: the block of a launch is a constant [plan_block]
// CHECK: hint: A compile-time parameter of the algorithm is one: <const N: u32 = 256>.
algorithm d() { launch 7; }
// CHECK: [[@LINE-1]]:24: error: what is launched is the call of a function [launch_call]
kernel k() { launch f(block = 32, grid = 1, 1); }
// CHECK: [[@LINE-1]]:21: error: a launch stands in an algorithm [launch_outside]
