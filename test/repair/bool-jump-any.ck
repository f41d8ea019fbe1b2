// A jump if any component of a comparison is true, of which one is for sure, is compiled at once.
// REQUIRES: nvvm
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s
kernel any_of_three(n: u32, x: in f32[64], y: inout u32[64]) launch(block = 64)
{
    let t = thread.rank;
    let c = u32x3(t, 5, 7) >= u32x3(n, 3, 9);
    var d = c;
    if (any(c)) y[t] = n;
    if (c[0] || c[1] || c[2]) y[t] += n;
    if (d[0] | d[1] | d[2]) y[t] += n;
    if (any(c | (u32x3(t, 4, 7) >= u32x3(n, 8, 9)))) y[t] += n;
    if (any(f32x3(x[t], 5, 7) >= f32x3(3, 5, 8))) y[t] += n;
}
// CHECK: .entry any_of_three
// CHECK: ret;
