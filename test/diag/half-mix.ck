// f16 and bf16 do not mix, and neither converts to the other on its own.
// RUN: not %ckc %s --target=host --stop-after=check 2>&1 | FileCheck %s
fn f(a: f16, b: bf16) { let c = a + b; let d: f16 = b; let e = f32(a) + b; let g = f16(b); }
// CHECK: error: '+' of 'f16' and 'bf16': neither type holds the other's values [no_common_type]
// CHECK: error: cannot convert 'bf16' to 'f16' [type_mismatch]
// CHECK-NOT: error:
