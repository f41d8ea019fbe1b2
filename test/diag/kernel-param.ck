// Kernels take what can lie in memory that the host knows: no ranges, no spans inside a struct.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
struct Part<T: type> { it: T; n: u32; }
kernel k(a: range<i32>, b: in range<i32>[2]) {}
// CHECK: error: 'range<i32>' can't be the type of a kernel's parameter [kernel_param]
// CHECK: error: 'range<i32>' can't be the type of a kernel's parameter [kernel_param]
kernel m(a: Part<range<u32>>) {}
// CHECK: error: 'Part<range<u32>>' can't be the type of a kernel's parameter [kernel_param]
