// A lambda in a function that calls itself with it makes an instance of each.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn deeper<F: fn>(f: F, n: i32) -> i32 { return n == 0 ? f(n) : deeper(|i| f(i) + 1, n - 1); }
kernel k(y: out i32[1]) launch(block = 1, grid = 1) { y[0] = deeper(|i| i, 3); }
// CHECK: error: '|i| f(i) + 1' instantiates itself without end [instance_depth]
// CHECK: note: in 'deeper<|i| i>', instantiated here
// CHECK-NOT: error:
