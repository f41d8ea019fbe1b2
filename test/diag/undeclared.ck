// An unknown name gets the nearest known one as a fix.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(count: u32) -> u32 = cuont + 1;
// CHECK: [[@LINE-1]]:27: error: 'cuont' is not declared [undeclared]
// CHECK: hint: Did you mean 'count'?
// CHECK: fix: write 'count' instead
