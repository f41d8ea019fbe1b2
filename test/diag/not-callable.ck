// Values are not called, properties neither.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(a: u32) { a(1); inf(); let b = thread.rank(); }
// CHECK: error: 'a' can't be called [not_callable]
// CHECK: error: 'inf' can't be called [not_callable]
// CHECK: hint: It is a value: write inf, or inf<f64>.
// CHECK: hint: It is a value: leave out the parentheses.
kernel k() launch(block = 32, grid = resident()) {}
// CHECK: error: 'resident' can't be called [not_callable]
