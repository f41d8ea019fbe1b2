// Instances stand 60 deep inside each other, not 70; the limit is 64.
// RUN: split-file %s %t
// RUN: %ckc %t/good.ck --target=host --stop-after=check
// RUN: not %ckc %t/bad.ck --target=host --stop-after=check 2>&1 | FileCheck %s
//--- good.ck
fn f<const N: u32>() -> u32 { comptime if (N == 0) return 0; else return f<N - 1>() + 1; }
kernel k(y: out u32[1]) { y[0] = f<60>(); }
//--- bad.ck
fn f<const N: u32>() -> u32 { comptime if (N == 0) return 0; else return f<N - 1>() + 1; }
kernel k(y: out u32[1]) { y[0] = f<70>(); }
// CHECK: error: 'f' instantiates itself without end [instance_depth]
