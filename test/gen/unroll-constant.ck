// Where a loop is unrolled, its counter is a number to the optimiser.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(y: out i32[4]) { unroll for (i in 0..3) y[i] = 10 * i; }
// CHECK-NOT: mul
// CHECK-NOT: bra
// CHECK:     ret
