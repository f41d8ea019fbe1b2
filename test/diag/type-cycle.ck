// A type is not made of itself, whatever the names on the way.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
type A = B; type B = A; type C = C[4]; type D = ptr<D>; type E = Z<E>; struct Z<T: type> { t: T; }
enum F { a = i32(F.b), b }
fn f(a: A, e: E) {}
// CHECK: error: the type 'A' is made of itself [type_cycle]
// CHECK: error: the type 'C' is made of itself [type_cycle]
// CHECK: error: the type 'D' is made of itself [type_cycle]
// CHECK: error: the type 'E' is made of itself [type_cycle]
// CHECK: error: the type 'F' is made of itself [type_cycle]
// CHECK-NOT: error:
