// An 'in' span is not written, under any name.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: in f32[4]) { x[0] = 1.0; var s = x; s[1] = 2.0; }
// CHECK: error: 'x' is 'in': it can't be written [assign_in]
// CHECK: note: 'x' is declared here
// CHECK: error: 's' is 'in': it can't be written [assign_in]
