// break and continue need a loop, and a loop's condition is outside it.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k() { break; if (true) continue; }
// CHECK: error: 'break' stands outside a loop [outside_loop]
// CHECK: error: 'continue' stands outside a loop [outside_loop]
