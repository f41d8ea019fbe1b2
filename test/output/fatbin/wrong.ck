// A mistake is shown once, however many targets there are.
// RUN: not %ckc %s --emit=fatbin --target=sm_80,sm_90 -o %t 2>&1 | FileCheck %s
kernel k() { x = 1; }
// CHECK: error: 'x' is not declared
// CHECK-NOT: error:
