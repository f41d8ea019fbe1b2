// A jump by bools of which one is true and a later one false, as libNVVM finds late, ends there too.
// REQUIRES: nvvm
// RUN: timeout 20 %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s
// RUN: not timeout 5 %ckc %s --no-repair=bool_jump --emit=ptx --target=sm_90 --backend=libnvvm -o %t
kernel chosen(n: u32, z: bool, x: in f32[64], y: inout u32[64]) launch(block = 64)
{
    let t = thread.rank;
    let c = u32x3(t, 5, 7) >= u32x3(n, 3, 9);
    if (any(x[t] > 5 ? c : boolx3(z, true, false))) y[t] = n;
    var d = boolx3(z, true, false);
    for (i in 0..n) d = x[i] > 5 ? c : d | c;
    if (any(d)) y[t] += n;
}
// CHECK: .entry chosen
// CHECK: ret;
kernel numbers(n: u32, y: inout u32[64]) launch(block = 64)
{
    let t = thread.rank;
    let c = u32x3(t, 5, 7) >= u32x3(n, 3, 9);
    let d = select(c, u32x3(1, 2, 3), u32x3(4, 5, 6));
    let e = u32x3(c);
    if (any(d == u32x3(1, 2, 3))) y[t] += n;
    if ((e[0] | e[1] | e[2]) != 0) y[t] += n;
}
// CHECK: .entry numbers
// CHECK: ret;
kernel pairs(n: u32, y: inout u32[64]) launch(block = 64)
{
    let t = thread.rank;
    let c = u32x2(t, 5) >= u32x2(n, 3);
    let d = u32x2(n, 7) >= u32x2(t, 9);
    if (c[0] | c[1] | d[1]) y[t] += n;
}
// CHECK: .entry pairs
// CHECK: ret;
