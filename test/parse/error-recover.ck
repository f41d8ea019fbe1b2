// Parsing goes on behind the ; or } of what is at fault: each mistake is one message.
// RUN: not %ckc %s --emit=ast 2>&1 | FileCheck %s
fn f() { let = 1; let a = 1; a + ; b c; }
const = 2;
kernel k( { let x = ; }
fn g() { let 1; }
// CHECK:      :3:14: error: expected '(' or a name before '='
// CHECK:      :3:34: error: expected a value before ';'
// CHECK:      :3:37: error: expected ';'
// CHECK:      :4:7: error: expected a name before '='
// CHECK:      :5:11: error: expected 'const', ')' or a name before '{'
// CHECK:      :6:14: error: expected '(' or a name before an integer
// CHECK-NOT: error:
