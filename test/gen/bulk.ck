// mbarriers and bulk copies are one instruction each, by both back ends.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx && FileCheck --implicit-check-not=cvta.shared %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 -o %t.nvvm && FileCheck --implicit-check-not=cvta.shared %s < %t.nvvm %}
// RUN: %if nvvm %{ %if ptxas %{ %ptxas-verify < %t.nvvm %} %}
kernel k(x: in f32[256], y: out f32[256], ready: out u32[1]) launch(block = 32, grid = 1)
{
    shared t: f32[256];
    shared full: barrier[2];
    if (thread.x == 0) mbarrier.init(full[0], 32);
    block.sync();
    mbarrier.expect(full[0], 0);
    mbarrier.arrive(full[0]);
    if (thread.x == 0) {
        mbarrier.arrive(full[1], bytes = 1024);
        bulk.load(t, x, 0, 256, full[1]);
    }
    ready[0] = u32(mbarrier.try_wait(full[0], 1));
    mbarrier.wait(full[1], 0);
    t[thread.x] += 1;
    bulk.fence();
    warp.sync();
    bulk.store(y, 0, t, 256);
    bulk.commit();
    bulk.wait_read<1>();
    bulk.wait();
}
// CHECK: mbarrier.init.shared::cta.b64 {{.*}} fence.mbarrier_init.release.cluster;
// CHECK: mbarrier.expect_tx.relaxed.cta.shared::cta.b64
// CHECK: mbarrier.arrive.shared::cta.b64 _,
// CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _,
// CHECK: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
// CHECK: mbarrier.try_wait.parity.shared::cta.b64
// CHECK: mbarrier.try_wait.parity.shared::cta.b64
// CHECK: fence.proxy.async.shared::cta;
// CHECK: cp.async.bulk.global.shared::cta.bulk_group
// CHECK: cp.async.bulk.commit_group;
// CHECK: cp.async.bulk.wait_group.read 1;
// CHECK: cp.async.bulk.wait_group 0;
