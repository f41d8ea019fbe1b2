// A return in a function with a result has a value.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) -> u32 { if (n > 1) return; return n; }
// CHECK: error: 'f' returns 'u32', no value is given [return_missing]
