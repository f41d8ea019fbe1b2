// A launch gives every argument: a kernel's parameter has no default.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32 = 4, y: out u32[n]) { y[0] = n; }
// CHECK: :3:10: error: 'n' has a default: whoever launches a kernel gives every argument [kernel_default]
