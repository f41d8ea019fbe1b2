// Kernels are launched, not called.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel g() {}
kernel k() { g(); }
// CHECK: error: 'g' is a kernel: it is launched, not called [kernel_called]
