// A name a letter away that means another thing is no proposal: a square is no root.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: inout f32[4]) { x[0] = sqr(x[0]); x[1] = square(x[1]); x[2] = power(x[2], 2.0); }
// CHECK: 3:36: error: 'sqr' is not declared [undeclared]
// CHECK: hint: A square is x * x, a root sqrt(x).
// CHECK-NOT: fix:
// CHECK: error: 'square' is not declared
// CHECK: hint: A square is x * x.
// CHECK-NOT: fix:
// CHECK: error: 'power' is not declared
// CHECK: fix: write 'pow' instead
