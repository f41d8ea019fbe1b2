// A component by a number that is not known is taken from what is loaded: LLVM would load it alone, by
// an address in shared memory as if that were a generic one.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas-verify < %t.ptx %}
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -O0 -o - | FileCheck %s --check-prefix=O0
// RUN: %ckc %s --no-repair=component --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
kernel k(at: u32, x: in f32x4[64], y: out f32[64]) launch(block = 64, grid = 1)
{
    shared t: f32x4[64];
    t[thread.rank] = x[thread.rank];
    block.sync();
    y[thread.rank] = t[63 - thread.rank][(at + thread.rank) % 4];
}
// CHECK: bar.sync
// CHECK: ld.shared.v4.f32
// CHECK-NOT: ld.f32
// CHECK: st.global.f32
// O0: ld.shared.v4.f32
// O0-NOT: ld.f32
// O0: st.global.f32
// WITHOUT: ld.f32
