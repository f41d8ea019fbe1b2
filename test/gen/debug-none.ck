// Ranges and lambdas are not described for debuggers, scalars and tuples are.
// RUN: %ckc %s -g --emit=llvm --target=sm_90 | FileCheck %s
kernel k(n: u32, y: out u32[1])
{
    let tuple = (n, 1.5);
    let range = 0..n;
    let lambda = |v: u32| v + n;
    let kept = lambda(tuple[0]);
    for (i in range) y[0] = kept;
}
// CHECK-NOT: DILocalVariable(name: "{{range|lambda}}"
// CHECK: DILocalVariable(name: "kept"
// CHECK-NOT: DILocalVariable(name: "{{range|lambda}}"
