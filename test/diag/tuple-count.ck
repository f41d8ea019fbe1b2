// As many names as values.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) { let (a, b) = (1, 2, 3); let (c, d) = n; var (e, g) = (1, 2); (e, g) = (1, 2,
    3); }
// CHECK: error: 2 names are bound to 3 values [tuple_count]
// CHECK: error: 2 names are bound to 1 values [tuple_count]
// CHECK: error: 2 names are bound to 3 values [tuple_count]
