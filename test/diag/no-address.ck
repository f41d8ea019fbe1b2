// What is not in memory has no address.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32, x: out f32[8]) {
    let a = 1;
    let p = address(a);
    // CHECK: error: this has no address [no_address]
    // CHECK: hint: A 'var', a 'shared' and an element of a span have one.
    let q = address(n);
    // CHECK: [no_address]
    let r = address(x[1..2]);
    // CHECK: [no_address]
    let s = address(x[1]);
    // CHECK-NOT: error
}
