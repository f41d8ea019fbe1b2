// == of arrays is a loop over both where they are.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(x: in f32[2000][2], y: out bool[1]) { y[0] = x[0] == x[1]; }
// CHECK-NOT: alloca
// CHECK: equal.body:
// CHECK: fcmp oeq float
// CHECK: br i1
