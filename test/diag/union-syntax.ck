// Mistakes in a union are reported once each, and what follows is read.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(y: out u32[1])
{
    shared union { a: u32[4], b: f32[4]; }
    y[0] = 1;
    shared union { }
}
// CHECK: :5:29: error: expected ';' [expected]
// CHECK-NOT: error
// CHECK: :7:20: error: expected a name before '}' [expected]
