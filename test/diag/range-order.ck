// A range that counts from its end takes no step, one that counts down no step and no reverse.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) { for (i in (0..n).reverse().step(2)) {} for (i in (n..0).step(-1).reverse()) {} (0..n).reverse(1); }
// CHECK: error: a 'reversed range<u32>' takes no 'step' [range_order]
// CHECK: hint: The step comes first: (0..n).step(2).reverse().
// CHECK: error: a 'range<u32> that counts down' takes no 'reverse' [range_order]
// CHECK: error: 'reverse' takes no arguments, 1 are given
