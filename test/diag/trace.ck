// Notes lead from the mistake to the call that the program makes.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn inner<T: type>(x: T) -> T = -x;
fn middle<T: type>(x: T) -> T = inner(x);
fn outer<T: type>(x: T) -> T = middle(x);
kernel k(p: bool, y: out bool[2]) { y[0] = outer(p); y[1] = outer(p); }
// CHECK:      3:33: error: '-' does not take 'bool' [bad_operand]
// CHECK:      4:33: note: in 'inner<bool>', instantiated here
// CHECK:      5:32: note: in 'middle<bool>', instantiated here
// CHECK:      6:44: note: in 'outer<bool>', instantiated here
// CHECK-NOT:  error:
