// An enumeration's value is no number: it is compared and converted, to and from integers alone.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
enum K { a, b }
fn f(k: K) { let x = k + 1; let y = k == 1; let z = K.c; let m = f32(k); let t = min(k, k); let u: i32 = k; let w = k < K.a; }
// CHECK: error: '+' does not take 'K' [bad_operand]
// CHECK: error: '==' of 'K' and 'an integer'
// CHECK: error: 'K' has no member 'c' [no_member]
// CHECK: error: cannot convert 'K' to 'f32' [type_mismatch]
// CHECK: error: no 'min' takes (K, K) [no_overload]
// CHECK: error: cannot convert 'K' to 'i32' [type_mismatch]
// CHECK: hint: Write i32(k) to convert it.
// CHECK: error: '<' does not take 'K' [bad_operand]
