// An index below 0 counts from the end in Python: the hint says how that is written.
// RUN: %ckc %s --target=host -o %t 2>&1 | FileCheck %s
kernel k(n: u32, x: inout f32[n], y: inout f32[]) { x[-1] = 0; x[-2] = 0; y[-3] = 0; }
// CHECK: 3:55: warning: the index -1 is outside the extent n [index_outside]
// CHECK: hint: The last element is x[n - 1].
// CHECK: 3:66: warning: the index -2 is outside the extent n
// CHECK: hint: Counted from the end it is x[n - 2].
// CHECK: 3:77: warning: the index -3 is outside the extent y.len
// CHECK: hint: Counted from the end it is y[y.len - 3].
