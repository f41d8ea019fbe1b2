// export names kernels.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(x: f32) -> f32 = x;
export f;
// CHECK: error: 'f' is not a kernel [not_a_kernel]
