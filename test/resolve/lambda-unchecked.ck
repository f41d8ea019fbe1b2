// A lambda that is never called is not checked, nor is a function with <...>; what is called is.
// RUN: not %ckc %s --target=host --stop-after=check 2>&1 | FileCheck %s
fn f<T: type>(v: T) -> T = v.none;
fn g() { let a = |v| v.none; let b = |v| v.some; let c = b(1); }
// CHECK-NOT: none
// CHECK: error: 'i32' has no member 'some' [no_member]
// CHECK-NOT: error:
