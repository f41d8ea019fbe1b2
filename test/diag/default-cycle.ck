// The default of a parameter can't call its own function, nor what leads back to it.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(a: u32 = f()) -> u32 = a;
fn g(a: u32, b: u32 = h(a = 2)) -> u32 = a + b;
fn h(a: u32, b: u32 = g(1)) -> u32 = a * b;
fn k(a: u32 = k(1) + k(2)) -> u32 = a;
fn t<T: number>(a: T = t<T>()) -> T = a;
kernel q(y: out u32[4]) { y[0] = f(); y[1] = g(1); y[2] = k(); y[3] = t<u32>(); }
// CHECK: 3:4: error: the parameters of 'f' need a call of it [default_cycle]
// CHECK: {{4|5}}:4: error: the parameters of '{{g|h}}' need a call of it
// CHECK: 6:4: error: the parameters of 'k' need a call of it
// CHECK: error: the parameters of 't<u32>' need a call of it
