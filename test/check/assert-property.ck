// The condition of an assertion may use properties: it is checked once.
// REQUIRES: ckc
// RUN: %ckc %s --dump=check --stop-after=check --target=host -o /dev/null 2>&1 | FileCheck %s
// CHECK: name assert : a function
// CHECK-NEXT: binary < : bool
kernel k(x: in i32[32]) launch(block = 32, grid = 1) { assert(x[thread.x] < 100, "it is small"); }
