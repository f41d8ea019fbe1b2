// With a comma in it, what follows '>' decides; without one, a truth value would be compared.
// RUN: %ckc %s --emit=tokens | FileCheck %s
a<b, c>(d) a<b, c>[0] a<b, c>; a<b, c>.x a<b, c> d;
a<b> c
// CHECK: 3:2 < of a list
// CHECK: 3:13 < of a list
// CHECK: 3:24 < of a list
// CHECK: 3:33 < of a list
// CHECK: 3:43 < <
// CHECK: 4:2 < of a list
