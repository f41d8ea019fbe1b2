// '?:' binds looser than '||', tighter than '..', and goes from right to left.
// RUN: %ckc %s --emit=ast | FileCheck %s
const A = a || b ? c : d ? e : g;
const B = a ? b : c..d;
// CHECK:      b choose
// CHECK-NEXT: binary ||
// CHECK-NEXT: name a
// CHECK-NEXT: name b
// CHECK-NEXT: name c
// CHECK-NEXT: choose
// CHECK-NEXT: name d
// CHECK:      b range
// CHECK-NEXT: choose
