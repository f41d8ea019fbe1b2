// An extent of scratch memory is known at the launch, or the call that asks for it is shown.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel a(n: u32, x: in u32[n]) { scratch t: u32[x[0]]; t[0] = 1; }
// CHECK: [[@LINE-1]]:42: error: the extent of scratch 't' is not known at the launch [scratch_extent]
// CHECK: hint: It is made of constants, the kernel's parameters, lengths of spans, grid.dim and block.dim.
fn f(n: u32) { scratch s: u32[n]; s[0] = n; }
kernel b(n: u32) { var m = n; m += 1; f(n); f(m); }
// CHECK: [[@LINE-1]]:45: error: the extent of scratch 's' is not known
// CHECK: [[@LINE-3]]:24: note: for the scratch memory of 's'
// CHECK-NOT: error:
