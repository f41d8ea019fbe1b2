// A pointer is an operand of asm: 32 bits if it is to shared memory, else 64, by both back ends.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 -o %t.libnvvm
// RUN: FileCheck %s < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
struct P { a: f32; b: u32; }
kernel k(x: inout u32[32], p: ptr<P>) launch(block = 32, grid = 1)
{
    shared tile: u32[32];
    tile[thread.x] = x[thread.x];
    let s = address(tile[31 - thread.x]);
    block.sync();
    let v = asm<u32>("ld.shared.u32 $0, [$1];", s, memory = true);
    asm("st.global.u32 [$0], $1;", address(x[thread.x]), v, memory = true);
    asm("red.global.add.u32 [$0], $1;", address(p[1].b), 3, memory = true);
}
// CHECK: ld.shared.u32 %r{{[0-9]+}}, [%r{{[0-9]+}}];
// CHECK: st.global.u32 [%rd{{[0-9]+}}], %r{{[0-9]+}};
// CHECK: red.global.add.u32 [%rd{{[0-9]+}}], 3;
