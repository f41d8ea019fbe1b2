// As many values as conversions.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f() { print("{} {}", 1); print("a", 1); print("{"); }
// CHECK: error: the format has 2 conversions, 1 values are given [print_format]
// CHECK: error: the format has 0 conversions, 1 values are given [print_format]
// CHECK: error: the format has 1 conversions, 0 values are given [print_format]
