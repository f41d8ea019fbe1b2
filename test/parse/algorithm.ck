// An algorithm has a block or an expression.
// RUN: %ckc %s --emit=ast | FileCheck %s
algorithm a(n: u64) -> i64 = reduce(count<i64>(1).take(n), +, 0);
algorithm b(n: u64) { return; }
// CHECK:      a algorithm a
// CHECK-NEXT: b param n
// CHECK-NEXT: a name u64
// CHECK-NEXT: c name i64
// CHECK-NEXT: d block
// CHECK-NEXT: a return
// CHECK-NEXT: a call
// CHECK-NEXT: name reduce
// CHECK:      a algorithm b
