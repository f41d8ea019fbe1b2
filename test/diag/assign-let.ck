// let, for, parameters keep their value.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) { let a = 1; a = 2; n = 1; for (i in 0..3) i += 1; }
// CHECK: error: 'a' can't change: it is bound by 'let' [assign_let]
// CHECK: hint: 'var' declares what changes.
// CHECK: error: 'n' can't change: it is bound by 'a parameter' [assign_let]
// CHECK: hint: Copy it: var n = n;
// CHECK: error: 'i' can't change: it is bound by 'for' [assign_let]
