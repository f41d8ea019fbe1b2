// while, break, continue and return.
// RUN: %ckc %s --emit=ast | FileCheck %s
fn f() { while (a) { break; continue; } return; return a; ; {} }
// CHECK:      a while
// CHECK-NEXT: name a
// CHECK-NEXT: block
// CHECK-NEXT: a break
// CHECK-NEXT: a continue
// CHECK-NEXT: a return
// CHECK-NEXT: a return
// CHECK-NEXT: a name a
// CHECK-NEXT: a block
// CHECK-NEXT: a block
