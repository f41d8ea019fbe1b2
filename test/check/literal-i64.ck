// What does not fit i32 needs a type.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f() { let a = 3000000000; }
// CHECK:      error: 3000000000 does not fit in 'i32' [constant_range]
// CHECK:      hint: An integer without a type is an i32: write 3000000000i64 or 3000000000u64.
