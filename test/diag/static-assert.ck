// A false static_assert is an error with its text.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const N = 3;
static_assert(N == 4);
static_assert(N < 3, "N is too large");
// CHECK: [[@LINE-2]]:15: error: static_assert failed [static_assert]
// CHECK: error: static_assert failed: N is too large [static_assert]
