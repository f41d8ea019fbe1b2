// What is wrong in an instance says from where it comes, and in the library too.
// RUN: split-file %s %t
// RUN: cd %t
// RUN: not %ckc in.ck --stop-after=check 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
//--- in.ck
kernel k(p: bool, y: out bool[1]) { y[0] = clamp(p, p, p); }
//--- expect
// CHECK:in.ck:1:44: error: 'T' is 'bool', which is not 'number' [constraint]
// CHECK-NEXT:kernel k(p: bool, y: out bool[1]) { y[0] = clamp(p, p, p); }
// CHECK-NEXT:                                           ^~~~~~~~~~~~~~
// CHECK-NEXT:lib/core.ck:{{[0-9]+}}:10: note: 'T' is declared here
// CHECK-NEXT:fn clamp<T: number>(x: T, lo: T, hi: T) -> T
// CHECK-NEXT:         ^
