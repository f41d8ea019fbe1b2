// A bool becomes a float as a choice of 1 and 0, whatever makes it; more than a bit is converted.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %ckc %s --no-repair=bool_float --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: %if sass %{ %ckc %s --no-repair=bool_float --emit=ptx --target=sm_90 --backend=nvptx -o - | %sass | FileCheck %s --check-prefix=WRONG %}
// REQUIRES: nvvm
// CHECK-LABEL: .entry one(
// CHECK:       { .reg .pred one; setp.ne.b{{16|32}} one, %r{{s?[0-9]+}}, 0; selp.f32 %f{{[0-9]+}}, 0f3F800000, 0f00000000, one; }
// CHECK-NOT:   cvt.rn.f32
// CHECK:       ret
kernel one(x: in u32[64], y: out f32[64])
{
    y[thread.rank] = f32((x[thread.rank] > 7) != (x[thread.rank + 1] == 3));
}
// CHECK-LABEL: .entry many(
// CHECK:       cvt.rn.f64.u32
kernel many(x: in u32[64], y: out f64[64])
{
    y[thread.rank] = f64(x[thread.rank] > 7 ? 2u32 : x[thread.rank]);
}
// WITHOUT: cvt.rn.f32.u32
// Without it, the bits of 1.0 are those of the integer 1.
kernel bits(x: in u32[64], y: out u64[64])
{
    y[thread.rank] = u64(bit_cast<u32>(f32((x[thread.rank] > 7) != (x[thread.rank + 1] == 3))));
}
// WRONG-LABEL: .text.bits:
// WRONG:       SEL {{R[0-9]+}}, RZ, 0x1,
