// A function with a result returns on every path.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) -> u32 { if (n > 1) return 1; }
// CHECK: error: 'f' can end without returning 'u32' [missing_return]
