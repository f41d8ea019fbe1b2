// Neighbours that are made wider by their signs, and then floats, keep them.
// RUN: %run-test %s
// CALL: k(a=[-1, 5, -128, 127], s=-3, y=zeros:4x2)
// EXPECT: y = [[4294967293, 4294967295], [5, 5], [4294967168, 4294967168], [125, 127]]
kernel k(a: in i8[4], s: i8, y: out f32[4, 2]) launch(block = 4, grid = 1)
{
    let t = thread.rank;
    y[t, 0] = f32(u32(s & a[t]));
    y[t, 1] = f32(u32(a[t]));
}
