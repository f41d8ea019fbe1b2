// cluster.sync is reached by all threads of the cluster: what differs between its blocks may not decide.
// RUN: not %ckc %s --stop-after=uniform --target=sm_90 2>&1 | FileCheck %s
kernel k() launch(block = 32, grid = 4, cluster = 2)
{
    if (cluster.id.x > 0) cluster.sync();
    if (cluster.rank > 0) cluster.sync();
}
kernel shares(x: in u32[4]) launch(block = 32, grid = 4, cluster = 2)
{
    shared s: u32[1];
    s[0] = x[block.id.x];
    block.sync();
    if (s[0] > 0) block.sync();
    if (s[0] > 0) cluster.sync();
}
// CHECK-NOT: :5:
// CHECK: :6:{{[0-9]+}}: error: {{.*}}cluster{{.*}} [divergent]
// CHECK-NOT: :13:{{[0-9]+}}: error
// CHECK: :14:{{[0-9]+}}: error: {{.*}}cluster{{.*}} [divergent]
// CHECK: :14:{{[0-9]+}}: note: 's' differs between blocks
