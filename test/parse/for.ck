// for has a name, perhaps a type, and a range; unroll perhaps a count.
// RUN: %ckc %s --emit=ast | FileCheck %s
fn f() { for (i in 0..n) {} for (i: u64 in r) ; unroll for (i in r) {} unroll(4) for (i in r) {} }
// CHECK:      a for i
// CHECK-NEXT: range
// CHECK:      a for i
// CHECK-NEXT: name r
// CHECK-NEXT: block
// CHECK-NEXT: d name u64
// CHECK:      a for unroll i
// CHECK-NEXT: name r
// CHECK-NEXT: block
// CHECK-NEXT: a for unroll i
// CHECK-NEXT: name r
// CHECK-NEXT: block
// CHECK-NEXT: c int 4
