// Two lambdas have two types: no array holds both.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(y: out u32[1]) { let l = [|q| q + 1, |q| q * 2]; y[0] = l[0](1); }
// CHECK: 3:47: error: cannot convert '|q| q * 2' to '|q| q + 1' [type_mismatch]
// CHECK: hint: Each lambda has a type of its own: 'if' or 'switch' chooses which is called.
// CHECK-NOT: error:
