// Instances that need ever more instances end in an error.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f<const N: u32>() -> u32 { return f<N + 1>(); }
kernel k(y: out u32[1]) { y[0] = f<0>(); }
// CHECK: error: 'f' instantiates itself without end [instance_depth]
