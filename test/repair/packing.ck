// Neighbours that are widened with their signs, and then become floats, keep them.
// REQUIRES: ckc, host
// RUN: %ckc run %s k 'a=[-1, 5, -128, 127]' s=-3 y=zeros:4x2 --print=y --device=host %repair | FileCheck %s
// RUN: %ckc run %s k 'a=[-1, 5, -128, 127]' s=-3 y=zeros:4x2 --print=y --device=host --no-repair=packing \
// RUN:   | FileCheck %s --check-prefix=WITHOUT
// CHECK:   {{^}}y = {{\[}}[4.2949673e+09, 4.2949673e+09], [5, 5], [4.2949673e+09, 4.2949673e+09], [125, 127]]
// WITHOUT: {{^}}y = {{\[}}[253, 255], [5, 5], [128, 128], [125, 127]]
kernel k(a: in i8[4], s: i8, y: out f32[4, 2]) launch(block = 4, grid = 1)
{
    let t = thread.rank;
    y[t, 0] = f32(u32(s & a[t]));
    y[t, 1] = f32(u32(a[t]));
}
