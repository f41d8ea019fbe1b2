// |x| of a choice of constants is made of x's bits: ptxas takes -0 for 0 or more, and leaves |x| out.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %ckc %s --no-repair=abs_choice --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: %if sass %{ %ckc %s --no-repair=abs_choice --emit=ptx --target=sm_90 --backend=nvptx -o - | %sass | FileCheck %s --check-prefix=WRONG %}
// REQUIRES: nvvm
// CHECK-LABEL: .entry choice(
// CHECK-NOT:   abs.f32
// CHECK:       ret
kernel choice(x: in f32[32], y: out f32[32]) launch(block = 32, grid = 1)
{
    let t = thread.rank;
    y[t] = -abs((x[t] > 0 ? -16.0 : 0.0) * max(x[t], 1.0));
}
// CHECK-LABEL: .entry other(
// CHECK:       abs.f32
kernel other(x: in f32[32], y: out f32[32]) launch(block = 32, grid = 1)
{
    y[thread.rank] = abs(x[thread.rank]);
}
// WITHOUT: abs.f32
// WITHOUT: abs.f32
// Without it, x is taken for -|x|, which 0 is not.
kernel sign(x: in f32[32], w: in f32[32], y: out f32[32]) launch(block = 32, grid = 1)
{
    y[thread.rank] = copysign(x[thread.rank] > 0 ? -16.0 : 0.0, w[thread.rank]);
}
// WRONG-LABEL: .text.sign:
// WRONG:       FSEL [[R:R[0-9]+]], RZ, -16,
// WRONG:       FSEL {{R[0-9]+}}, [[R]], |[[R]]|,
