// A note shows its own place.
// RUN: split-file %s %t
// RUN: cd %t
// RUN: not %ckc in.ck --stop-after=check 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
//--- in.ck
const A = 1;
const A = 2;
//--- expect
// CHECK:in.ck:2:7: error: 'A' is declared twice [redeclared]
// CHECK-NEXT:const A = 2;
// CHECK-NEXT:      ^
// CHECK-NEXT:in.ck:1:7: note: 'A' is declared here
// CHECK-NEXT:const A = 1;
// CHECK-NEXT:      ^
