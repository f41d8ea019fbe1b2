// x != x compares with 0: to libNVVM an expression of constants is equal to itself, whatever it is.
// RUN: %ckc %s %repair --emit=nvvm --target=sm_90 --backend=libnvvm | FileCheck %s
// RUN: %if nvvm %{ %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t %}
// RUN: %if nvvm %{ FileCheck %s --check-prefix=PTX < %t %}
// RUN: %if nvvm %{ %ckc %s --no-repair=nan_equal --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s --check-prefix=WITHOUT %}
kernel k(y: out f32[1]) launch(block = 1, grid = 1)
{
    let x = floor(0.5f32) * (1.0f32 / 0.0f32);
    y[0] = x != x ? 1 : x == x ? 2 : 3;
}
// CHECK: fcmp uno float %{{.*}}, 0x{{0+$}}
// CHECK: fcmp ord float %{{.*}}, 0x{{0+$}}
// PTX: setp.nan.f32
// x == x is true.
// WITHOUT: mov.u32 %r1, 1073741824;
