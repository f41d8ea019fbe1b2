// An assignment is no expression.
// RUN: not %ckc %s --emit=ast 2>&1 | FileCheck %s
fn f() { if (a = 1) {} let b = c = 2; }
// CHECK:      hint: An assignment is a statement of its own; '==' compares.
