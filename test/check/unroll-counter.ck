// The counter of a loop that is unrolled is not known to what is decided before.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f<const N: i32>() -> i32 = N;
kernel k(y: out i32[4])
{
    let t = (1, 2);
    unroll for (i in 0..2) {
        y[i] = i;
        comptime if (i == 1) y[0] = 2;
        // CHECK: :[[#@LINE-1]]:22: error: this is not known at compile time [not_constant]
        y[1] = t[i];
        // CHECK: :[[#@LINE-1]]:18: error: this is not known at compile time [not_constant]
        y[2] = f<i>();
        // CHECK: :[[#@LINE-1]]:18: error: this is not known at compile time [not_constant]
    }
}
// CHECK-NOT: error
