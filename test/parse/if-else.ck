// else belongs to the nearest if.
// RUN: %ckc %s --emit=ast | FileCheck %s
fn f() { if (a) if (b) c(); else d(); comptime if (e) {} else {} }
// CHECK:      a if
// CHECK-NEXT: name a
// CHECK-NEXT: if
// CHECK-NEXT: name b
// CHECK-NEXT: evaluate
// CHECK-NEXT: call
// CHECK-NEXT: name c
// CHECK-NEXT: c evaluate
// CHECK-NEXT: call
// CHECK-NEXT: name d
// CHECK-NEXT: a if comptime
