// An 'out' span is not read, by += neither, under any name.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: out f32[4],
    y: inout f32[4]) { y[0] = x[0]; x[0] += 1.0; let s = x; s[0] *= 2.0; (x[0], y[0]) = (1.0,
    2.0); }
// CHECK: error: 'x' is 'out': it can't be read [read_out]
// CHECK: hint: 'inout' is read and written.
// CHECK: error: 'x' is 'out': it can't be read [read_out]
// CHECK: error: 's' is 'out': it can't be read [read_out]
// CHECK-NOT: error:
