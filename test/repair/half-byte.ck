// The lower byte of a f16 is stored from a copy: ptxas stores the f16 as an integer.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas-verify < %t.ptx %}
// RUN: %ckc %s --no-repair=half_byte --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: %if sass %{ %ckc %s --no-repair=half_byte --emit=ptx --target=sm_90 --backend=nvptx -o - | %sass | FileCheck %s --check-prefix=WRONG %}
kernel k(x: in f32[32], y: out u8[32], z: out u8[64]) launch(block = 32, grid = 1)
{
    let t = thread.rank;
    let (a, b) = (bit_cast<u16>(f16(x[t])), bit_cast<u16>(bf16(x[t])));
    y[t] = u8(a);
    z.store(2 * t, u8x2(u8(a), u8(b)));
}
// CHECK: { .reg .b16 part<4>; mov.b16 part0, %rs{{[0-9]+}}; st.global.u8 [%rd{{[0-9]+}}], part0; }
// CHECK: mov.b16 part0, %rs{{[0-9]+}}; mov.b16 part1, %rs{{[0-9]+}}; st.global.v2.u8 [%rd{{[0-9]+}}], {part0, part1}; }

kernel by_hand(x: in f32[32], y: out u8[32]) launch(block = 32, grid = 1)
{
    let p = u64(address(y[thread.rank]));
    asm("st.global.b8 [$0], $1;", p, bit_cast<u16>(f16(x[thread.rank])), memory = true);
}
// CHECK: mov.b16 part0, %rs{{[0-9]+}}; st.global.b8 [%rd{{[0-9]+}}], part0; }
// WITHOUT-NOT: .reg .b16 part
// WRONG: F2I.U8.F16
