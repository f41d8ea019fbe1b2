// What the grammar has and the compiler does not says so.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32) { var v: f32[dyn n]; }
// CHECK: error: dynamic: this version of the compiler does not take it yet [not_yet]
