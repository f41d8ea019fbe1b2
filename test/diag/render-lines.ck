// What spans lines is underlined on its first.
// RUN: split-file %s %t
// RUN: cd %t
// RUN: not %ckc in.ck --stop-after=check 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
//--- in.ck
fn f(a: u32, b: f32) { let c = a +
  b; }
//--- expect
// CHECK:in.ck:1:32: error: '+' of 'u32' and 'f32': neither type holds the other's values [no_common_type]
// CHECK-NEXT:fn f(a: u32, b: f32) { let c = a +
// CHECK-NEXT:                               ^~~
// CHECK-NEXT:hint: Write f32(a) to convert it.
