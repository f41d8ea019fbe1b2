// Two of one name in one block are a mistake; hiding an outer name is not.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32) {
  let a = n;
  if (n > 1) { let a = 2; var n = a; n = 3; }
  for (a in 0..n) { let n = a; }
  let n = a;
  var a = 1;
}
// CHECK-NOT: error
// CHECK: :8:7: error: 'a' is declared twice [redeclared]
// CHECK: :4:7: note: 'a' is declared here
// CHECK-NOT: error
