// Each half of 32 bits is a conversion; other inline PTX stays as it is.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s --no-repair=half_split --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: %if sass %{ %ckc %S/../run/low-half.ck --no-repair=half_split --emit=ptx --target=sm_90 --backend=nvptx -o - | %sass | tac | FileCheck %s --check-prefix=WRONG %}
// CHECK-LABEL: .entry low(
// CHECK-NOT:   mov.b32 {
// CHECK:       cvt.u16.u32 %rs[[LOW:[0-9]+]], %r{{[0-9]+}};
// CHECK:       st.global.u16 [%rd{{[0-9]+}}], %rs[[LOW]];
kernel low(x: in u32[64], y: out u16[64])
{
    y[thread.rank] = asm<u16>("{ .reg .b16 tmp; mov.b32 {$0, tmp}, $1; }", x[thread.rank]);
}
// CHECK-LABEL: .entry both(
// CHECK:       cvt.u16.u32 %rs[[A:[0-9]+]], %r[[X:[0-9]+]];
// CHECK-NEXT:  { .reg .b32 high; shr.u32 high, %r[[X]], 16; cvt.u16.u32 %rs[[B:[0-9]+]], high; }
kernel both(x: in u32[64], y: out u16[64])
{
    let (a, b) = asm<(u16, u16)>("mov.b32 {$0, $1}, $2;", x[thread.rank]);
    y[thread.rank] = a * b;
}
// CHECK-LABEL: .entry other(
// CHECK:       { .reg .b16 t; mov.b32 {%rs{{[0-9]+}}, t}, %r{{[0-9]+}}; add.u16 %rs
kernel other(x: in u32[64], y: out u16[64])
{
    y[thread.rank] = asm<u16>("{ .reg .b16 t; mov.b32 {$0, t}, $1; add.u16 $0, $0, t; }", x[thread.rank]);
}
// WITHOUT: mov.b32 {
// The half is put below what R has above it, and 32 bits of R are added to and shifted; from the end.
// WRONG:      SHF.R.U32.HI {{R[0-9]+}}, RZ, 0x1, [[R:R[0-9]+]] ;
// WRONG-NEXT: VIADD [[R]], [[R]], 0x7 ;
// WRONG:      PRMT [[R]], {{R[0-9]+}}, 0x7610, [[R]] ;
