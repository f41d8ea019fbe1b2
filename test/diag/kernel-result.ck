// A kernel returns nothing: it has no type of a result, and its returns have no value.
// RUN: split-file %s %t
// RUN: not %ckc %t/value.ck --target=host --stop-after=check 2>&1 | FileCheck %s
// RUN: not %ckc %t/type.ck --target=host --stop-after=check 2>&1 | FileCheck %s --check-prefix=TYPE
//--- value.ck
kernel k(n: u32) { if (n > 1) return; return 1; }
// CHECK: :1:46: error: 'k' returns nothing [return_value]
//--- type.ck
kernel k(n: u32) -> f32 { }
// TYPE: :1:18: error: expected 'launch' or '{' before '->' [expected]
