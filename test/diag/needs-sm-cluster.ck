// Clusters need sm_90, in the launch and in the code.
// RUN: not %ckc %s --stop-after=check --target=sm_80 2>&1 | FileCheck %s
// RUN: %ckc %s --stop-after=check --target=sm_90
kernel k() launch(block = 32, grid = 4, cluster = (2, 1)) { cluster.sync(); }
// CHECK: :4:{{[0-9]+}}: error: 'cluster' needs sm_90, the target is sm_80 [needs_sm]
// CHECK: error: {{.*}}sync{{.*}} needs sm_90, the target is sm_80 [needs_sm]
