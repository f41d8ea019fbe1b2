// A function without result returns nothing.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f() { return 1.5; }
kernel k() { return true; }
// CHECK: error: 'f' returns nothing [return_value]
// CHECK: hint: Write the type of the result: fn f(...) -> T.
// CHECK: error: 'k' returns nothing [return_value]
