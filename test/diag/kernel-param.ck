// Kernels take scalars and spans of scalars.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(a: range<i32>, b: (f32, f32)) {}
// CHECK: error: 'range<i32>' can't be the type of a kernel's parameter [kernel_param]
// CHECK: error: '(f32, f32)' can't be the type of a kernel's parameter [kernel_param]
