// In the branch that is not taken names have to be declared, and break be in a loop; no types fit.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(y: out i32[4], n: u32)
{
    comptime if (false) { let q: u32 = 1.5; y = n.foo; }
    comptime if (false) y[3] = undeclared;
    // CHECK: :[[#@LINE-1]]:32: error: 'undeclared' is not declared [undeclared]
    comptime if (true) y[3] = 1;
    else break;
    // CHECK: :[[#@LINE-1]]:10: error: 'break' stands outside a loop [outside_loop]
    y[0] = 1;
}
// CHECK-NOT: error
