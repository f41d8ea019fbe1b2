// A sort needs a greatest length that is known at the launch; the call is shown, and what asks for it.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
algorithm a(n: u64, x: inout i32[n]) { let k = reduce(x, min, 0); radix_sort(x[0..u64(k)]); }
// CHECK: [[@LINE-1]]:67: error: the extent of scratch 'other' is not known at the launch [scratch_extent]
// CHECK: radix_sort_steps.ck:{{.*}} note: for the scratch memory of 'other'
