// A component that the vector doesn't have, which is seen only once the program is optimised, is any value.
// RUN: %ckc %s --target=host -o %t
// RUN: %ckc %s --target=host -O1 -o %t
kernel k(v: f32x4, y: out f32x4[2]) launch(block = 1, grid = 1)
{
    var at = (1, 1);
    var w = v;
    w[-at[0] * 2] = v[at[1] + 3];
    y[0] = w;
}
