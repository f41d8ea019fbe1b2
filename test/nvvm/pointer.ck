// Pointers become typed ones of NVVM IR; shared ones keep their memory.
// REQUIRES: nvvm, ptxas
// RUN: %ckc %s --target=sm_90 --emit=ptx | tee %t | FileCheck %s
// RUN: %ptxas-verify < %t
// RUN: %ckc %s --target=sm_90 --emit=ptx --backend=nvptx | tee %t | FileCheck %s
// RUN: %ptxas-verify < %t
fn get(p: ptr<f32, shared>, i: u32) -> f32 = p[i];
// CHECK: .entry k(
// CHECK: ld.shared.f32
// CHECK: st.global.f32
kernel k(y: out f32[4], address_of: u64)
{
    shared tile: f32[256];
    tile[thread.x] = f32(thread.x);
    block.sync();
    y[1] = get(address(tile[3]), 255 - thread.x);
    ptr<f32, global>(address_of)[2] = 1;
}
