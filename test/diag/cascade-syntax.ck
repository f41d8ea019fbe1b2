// An item that is at fault is passed over.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(a: ) { let b = 1; if (b) { } }
fn f( { }
const A = ;
fn g() {}
// CHECK:      3:13: error: expected 'in', 'out', 'inout', '(' or a name before ')'
// CHECK:      4:7: error: expected 'const', ')' or a name before '{'
// CHECK:      5:11: error: expected a value before ';'
// CHECK-NOT: error:
