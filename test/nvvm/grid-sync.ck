// Blocks count themselves in the driver's word, with release and acquire; the manifest says that
// the launch is cooperative.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_75 --backend=libnvvm -o %t.libnvvm
// RUN: FileCheck %s < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
fn step() { grid.sync(); }
kernel k() launch(block = 128, grid = 4) { step(); }
// CHECK: bar{{(rier)?}}.sync
// CHECK: mov.b64 {{.*}}, {%envreg2, %envreg1};
// CHECK: atom.add.release.gpu.u32
// CHECK: ld.acquire.gpu.u32
// CHECK: bar{{(rier)?}}.sync
// CHECK: "cooperative": true
