// A vectorized load or store of a span is 16 bytes at a time, whatever its access.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
kernel k(x: in u32[], y: out u32[], z: inout u32[]) launch(block = 128)
{
    // CHECK-COUNT-2: ld.global.nc.v4.u32
    // CHECK-COUNT-2: st.global.v4.u32
    // CHECK-COUNT-2: ld.global.v4.u32
    // CHECK-COUNT-2: st.global.v4.u32
    let v = block.load<vectorized>(x, block.id.x * 1024, 8);
    block.store<vectorized>(y, block.id.x * 1024, v);
    let w = block.load<vectorized>(z, block.id.x * 1024, 8);
    block.store<vectorized>(z, block.id.x * 1024 + 4096, w);
}
