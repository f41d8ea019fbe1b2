// A return on every path is one at the end.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn f(n: u32) -> u32 { if (n > 1) { return 1; } else if (n > 2) return 2; else { { return 3; } } }
fn g(n: u32) -> u32 { comptime if (true) return n; else {} }
// CHECK:      function f
// CHECK:      function g
