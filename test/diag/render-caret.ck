// A message shows its line, a caret under the place and its extent, and the hint.
// RUN: split-file %s %t
// RUN: cd %t
// RUN: not %ckc in.ck --stop-after=check 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
//--- in.ck
fn f(x: f32) {
    let k: i32 = x * 2.0;
}
//--- expect
// CHECK:in.ck:2:18: error: cannot convert 'f32' to 'i32' [type_mismatch]
// CHECK-NEXT:    let k: i32 = x * 2.0;
// CHECK-NEXT:                 ^~~~~~~
// CHECK-NEXT:hint: i32(x * 2.0) converts it, and drops the fraction.
