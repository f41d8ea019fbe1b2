// What a kernel reads after it has waited for the launches ahead is loaded after that, and not through
// the read-only cache; another kernel's loads may be. The manifest says which one waits. Below sm_90
// there is nothing to wait for.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm
// RUN: FileCheck %s < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %ckc %s --emit=ptx --target=sm_80 | FileCheck %s --check-prefix=OLD
fn step() { grid.wait_dependencies(); }
kernel ahead(x: in f32[64], y: inout f32[64]) launch(block = 64, grid = 1)
{
    step();
    y[thread.x] += x[thread.x] + x[0];
    grid.launch_dependents();
}
kernel plain(x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1) { y[thread.x] = x[thread.x]; }
// CHECK-LABEL: .entry ahead
// CHECK-NOT:   ld.global
// CHECK:       griddepcontrol.wait;
// CHECK-NOT:   ld.global.nc
// CHECK:       st.global
// CHECK:       griddepcontrol.launch_dependents;
// CHECK-LABEL: .entry plain
// CHECK:       ld.global.nc
// CHECK:       "name": "ahead"
// CHECK:       "dependent": true
// CHECK-NOT:   "dependent"
// OLD-NOT: griddepcontrol
