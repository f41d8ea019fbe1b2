// What can't be stored in is said without names that only the library has.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32, s: f32, x: in f32[n], y: out f32[n])
{
    zip(x, s)[0] = 0;
    zip(x, y)[0] = 1;
    zip(x.map(|a| a), y)[0] = 1;
    var a: f32[4];
    a.reverse()[n] = 0;
}
// CHECK-NOT: {{__[A-Z]}}
// CHECK: 5:{{[0-9]+}}: error:
// CHECK-NOT: {{__[A-Z]}}
// CHECK: 6:{{[0-9]+}}: error:
// CHECK-NOT: {{__[A-Z]}}
// CHECK: 7:{{[0-9]+}}: error:
// CHECK-NOT: {{__[A-Za-z]|stored}}
// CHECK: 9:5: error: 'r' can't change: it is bound by 'a parameter' [assign_let]
// CHECK-NOT: {{__[A-Za-z]|stored}}
