// Clusters: the launch's extents, registers, the barrier, and the other block's shared memory.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm
// RUN: FileCheck %s < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s --check-prefix=BODY < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
kernel k(x: in u32[256], y: out u32[256]) launch(block = 64, grid = 4, cluster = 2)
{
    shared s: u32[64];
    s[thread.x] = x[block.id.x * 64 + thread.x];
    cluster.sync();
    let other = cluster.map(s, cluster.rank ^ 1);
    y[block.id.x * 64 + thread.x] = other[63 - thread.x] + cluster.size + cluster.id.x;
    cluster.sync();
}
// CHECK: .reqnctapercluster 2, 1, 1
// CHECK: barrier.cluster.arrive.release
// CHECK: barrier.cluster.wait.acquire
// CHECK: %cluster_ctarank
// CHECK: mapa.u64
// BODY: barrier.cluster.wait.acquire
// BODY: mapa.u64
