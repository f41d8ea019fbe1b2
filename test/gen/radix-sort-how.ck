// What a sort leaves out is what is fastest: the network has no counters; passes of few keys vote, of many count.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// CHECK-LABEL: .entry network
// CHECK-NOT: vote.sync
// CHECK: shfl.sync.bfly
// CHECK: bar.red.or
kernel network(x: inout f32[1024]) launch(block = 256, grid = 1) { block.store(x, 0, block.radix_sort(block.load(x, 0, 4))); }
// CHECK-LABEL: .entry placed
// CHECK-NOT: vote.sync
// CHECK-NOT: bar.red
// CHECK: shfl.sync.bfly
kernel placed(x: inout i64[1024]) launch(block = 256, grid = 1)
{
    let v = block.load(x, 0, 4);
    block.store(x, 0, block.radix_sort(v, v)[1]);
}
// CHECK-LABEL: .entry votes
// CHECK: vote.sync.ballot
kernel votes(x: inout f32[768]) launch(block = 256, grid = 1) { block.store(x, 0, block.radix_sort(block.load(x, 0, 3))); }
// CHECK-LABEL: .entry counters
// CHECK-NOT: vote.sync
// CHECK: st.shared.{{[bu]}}16
kernel counters(x: inout f32[1280]) launch(block = 256, grid = 1) { block.store(x, 0, block.radix_sort(block.load(x, 0, 5))); }
