// The branch that is not taken need not have types; what the taken one returns counts.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn g<T: type>(a: T) -> i32 { comptime if (T(0) == T(0.5)) return a % 2; else return 1; }
kernel k(y: out i32[2]) { y[0] = g(5); y[1] = g(1.5); }
// CHECK:      kernel k
