// An extent of a parameter is made of parameters and constants, as the launch is.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
struct S { len: u32; }
fn g(n: u32) -> u32 = n;
kernel a(y: in u32[4], x: in f32[y[0]]) {}
// CHECK: [[# @LINE - 1]]:{{[0-9]+}}: error: this is worked out before the kernel runs: it can use parameters and constants [launch_expression]
kernel b(n: u32, x: in f32[g(n)]) {}
// CHECK: [[# @LINE - 1]]:{{[0-9]+}}: error: this is worked out before the kernel runs: it can use parameters and constants [launch_expression]
kernel c(s: S, x: in f32[s.len]) {}
// CHECK: [[# @LINE - 1]]:{{[0-9]+}}: error: this is worked out before the kernel runs: it can use parameters and constants [launch_expression]
kernel d(f: f32, x: in f32[u32(f)]) {}
// CHECK: [[# @LINE - 1]]:{{[0-9]+}}: error: this is worked out before the kernel runs: it can use parameters and constants [launch_expression]
kernel e(n: u32, x: in f32[ceil_div(n, 0)]) {}
// CHECK: [[# @LINE - 1]]:{{[0-9]+}}: error: the divisor is 0 [divide_by_zero]
const N: u32 = ceil_div(7u32, 0u32);
// CHECK: [[# @LINE - 1]]:{{[0-9]+}}: error: the divisor is 0 [divide_by_zero]
