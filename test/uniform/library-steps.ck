// A collective in a function that a step of the library's algorithm calls in some threads is one error, at the collective.
// RUN: not %ckc %s --stop-after=uniform --target=sm_90 2>&1 | FileCheck %s
algorithm sums(n: u64, x: in u32[n], y: out u32[n]) { transform(x, y, |v| warp.sum(v)); }
// CHECK-NOT: error
// CHECK: library-steps.ck:3:75: error: not all threads of the warp come to 'warp.sum': this differs between threads [divergent]
// CHECK: transform.ck:{{[0-9]+}}:{{[0-9]+}}: note: this condition decides about it
// CHECK: hint: The library calls this function in some threads only: call 'warp.sum' outside of it.
// CHECK-NOT: error
