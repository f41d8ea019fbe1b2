// thread.y differs between warps alone where each row is whole warps; thread.rank / 32 is not known to.
// RUN: not %ckc %s --target=sm_90 --stop-after=uniform 2>&1 | FileCheck %s
// RUN: %ckc %S/accept.ck --target=sm_90 --stop-after=uniform
kernel a(y: inout f32[1]) launch(block = (16, 8), grid = 1) { if (thread.y == 0) warp.sync(); }
// CHECK: :[[@LINE-1]]:67: error: {{.*}}this differs between threads [divergent]
kernel b(y: inout f32[1]) launch(block = 64, grid = 1) { if (thread.rank / 32 == 0) warp.sync(); }
// CHECK: :[[@LINE-1]]:62: error: {{.*}}this differs between threads [divergent]
