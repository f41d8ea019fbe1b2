// Two loads in the branches of an if, of which libNVVM makes one, are an ordinary load: y is written.
// REQUIRES: nvvm
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s --no-repair=load_alias --emit=ptx --target=sm_90 --backend=libnvvm -o - \
// RUN:   | FileCheck %s --check-prefix=WITHOUT
kernel k(n: u32, x: in f32[64], y: inout f32[64]) launch(block = 64, grid = 1)
{
    let t = thread.rank;
    var v = 0.0f32;
    if (t < n) v = x[63 - t]; else v = y[63 - t];
    y[t] = v + 1;
}
// CHECK:       selp.b64
// CHECK-NOT:   ld.global
// CHECK:       ld.global.f32
// CHECK-NOT:   ld.global
// WITHOUT:     ld.global.nc.f32
// WITHOUT-NOT: ld.global
