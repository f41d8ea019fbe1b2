// What the grammar has and the compiler does not says so.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
algorithm a(n: u32) -> u32 = n;
kernel k(n: u32) { let a = [1,
    2]; let b = |v| v; let c = fast { 1.0 }; shared s: f32[dyn n]; min(1, +); }
fn f() { shared t: f32[4]; }
// CHECK: error: algorithm: this version of the compiler does not take it yet [not_yet]
