// Inline PTX goes through libNVVM and through NVPTX alike.
// RUN: %ckc %s --emit=nvvm --target=sm_80 | FileCheck %s
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_80 -o %t.1 %}
// RUN: %if nvvm %{ FileCheck %s --check-prefix=PTX < %t.1 %}
// RUN: %if ptxas %{ %if nvvm %{ %ptxas-verify < %t.1 %} %}
// RUN: %ckc %s --emit=ptx --target=sm_80 --backend=nvptx -o %t.2
// RUN: FileCheck %s --check-prefix=PTX < %t.2
// RUN: %if ptxas %{ %ptxas-verify < %t.2 %}
kernel k(n: u32, y: out u32[4])
{
    y[0] = asm<u32>("{ .reg .u32 t; add.u32 t, $1, $2; mov.u32 $0, t; }", n, 7u32);
    let (lo, hi) = asm<(u32, u32)>("mov.b64 {$0, $1},\t$2;", u64(n));
    asm("// \"$0\"", n);
    y[1] = asm<u32>("activemask.b32 $0;", volatile = true, convergent = true);
    asm("membar.cta;", memory = true);
    (y[2], y[3]) = (lo, hi);
}
// CHECK: call i32 asm "{ .reg .u32 t; add.u32 t, $1, $2; mov.u32 $0, t; }", "=r,r,n"(i32 %n, i32 7) nounwind readnone
// CHECK: call { i32, i32 } asm "mov.b64 {$0, $1},\09$2;", "=r,=r,l"(i64
// CHECK: call void asm sideeffect "// \22$0\22", "r"(i32 %n) nounwind
// CHECK: call i32 asm sideeffect "activemask.b32 $0;", "=r"() nounwind convergent
// PTX-LABEL: .entry k
// PTX-DAG: add.u32 t, %r{{[0-9]+}}, 7;
// PTX-DAG: activemask.b32
// PTX-DAG: membar.cta
// PTX: ret;
