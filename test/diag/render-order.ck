// Messages come in the order of the text, whichever pass finds them.
// RUN: split-file %s %t
// RUN: cd %t
// RUN: not %ckc in.ck --stop-after=check 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
//--- in.ck
fn f() { let a = 1.5 % 2; }
fn g() { let b = c; }
//--- expect
// CHECK:in.ck:1:18: error: '%' does not take 'a number' [bad_operand]
// CHECK-NEXT:fn f() { let a = 1.5 % 2; }
// CHECK-NEXT:                 ^~~
// CHECK-NEXT:hint: The remainder of floats is fmod(a, b).
// CHECK-NEXT:in.ck:2:18: error: 'c' is not declared [undeclared]
// CHECK-NEXT:fn g() { let b = c; }
// CHECK-NEXT:                 ^
