// The type that a loop declares for its variable is that of its range, which counts in integers.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32, y: out f32[1])
{
    for (i: f32 in 0..4) y[0] = i;
    for (i: bool in 0..2) y[0] = 1;
    for (i: f32 in 0..n) y[0] = i;
}
// CHECK: 5:20: error: cannot convert 'i32' to 'f32' [type_mismatch]
// CHECK: 6:21: error: cannot convert 'i32' to 'bool'
// CHECK: 7:20: error: cannot convert 'u32' to 'f32'
