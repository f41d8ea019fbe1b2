// block.load<vectorized> of small numbers is one access of 16 bytes, and leaves nothing in local memory.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas-verify < %t.ptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.nvvm.ptx %}
// RUN: %if nvvm %{ FileCheck %s < %t.nvvm.ptx %}
kernel bytes(n: u64, x: in u8[n], y: out u8[n]) launch(block = 128, grid = ceil_div(n, 2048)) {
    block.store<vectorized>(y, block.id.x * 2048, block.load<vectorized>(x, block.id.x * 2048, 16));
}
kernel halves(n: u64, x: in bf16[n], y: out bf16[n]) launch(block = 128, grid = ceil_div(n, 1024)) {
    block.store<vectorized>(y, block.id.x * 1024, block.load<vectorized>(x, block.id.x * 1024, 8));
}
// CHECK-LABEL: .entry bytes
// CHECK-NOT: .local
// CHECK: ld.global.nc.v4.{{[bu]}}32
// CHECK-NOT: .local
// CHECK: st.global.v4.{{[bu]}}32
// CHECK-LABEL: .entry halves
// CHECK-NOT: .local
// CHECK: ld.global.nc.v4.{{[bu]}}32
// CHECK-NOT: .local
// CHECK: st.global.v4.{{[bu]}}32
