// A kernel has no extents but those of its parameters.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: inout f32[,,]) {}
// CHECK: error: 'x' of a kernel has 3 extents, which are not named [kernel_extents]
// CHECK: hint: They are parameters too: x: inout f32[h, w].
