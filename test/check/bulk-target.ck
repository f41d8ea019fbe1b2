// mbarriers and bulk copies need sm_90, and a barrier in shared memory.
// RUN: not %ckc %s --stop-after=check --target=sm_80 2>&1 | FileCheck %s
// RUN: not %ckc %s --stop-after=check --target=sm_90 2>&1 | FileCheck %s --check-prefix=PLACE
kernel k(x: in f32[64], y: out f32[64], b: inout barrier[1]) launch(block = 32, grid = 1)
{
    shared t: f32[64];
    shared full: barrier;
    mbarrier.init(full, 1);
    mbarrier.arrive(full, bytes = 256);
    bulk.load(t, x, 0, 64, full);
    mbarrier.wait(full, 0);
    bulk.store(y, 0, t, 64);
    mbarrier.arrive(b[0]);
}
// CHECK: :8:{{[0-9]+}}: error: 'init' needs sm_90, the target is sm_80 [needs_sm]
// CHECK: :9:{{[0-9]+}}: error: 'arrive' needs sm_90, the target is sm_80 [needs_sm]
// CHECK: :10:{{[0-9]+}}: error: 'load<f32>' needs sm_90, the target is sm_80 [needs_sm]
// CHECK: :11:{{[0-9]+}}: error: 'wait' needs sm_90, the target is sm_80 [needs_sm]
// CHECK: :12:{{[0-9]+}}: error: 'store<f32>' needs sm_90, the target is sm_80 [needs_sm]
// PLACE-NOT: needs_sm
// PLACE: :13:{{[0-9]+}}: error: {{.*}} [memory_space]
