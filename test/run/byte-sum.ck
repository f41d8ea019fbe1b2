// A sum of 8 bits is one of 8 bits where it is compared, shifted and divided.
// RUN: %run-test %s
// CALL: k(a=[100, -100, 127, -128], b=[100, -100, 1, -1], y=zeros:4, z=zeros:4, q=zeros:4)
// EXPECT: y = [-28, 28, -64, 63]
// EXPECT: z = [0, 56, 0, 127]
// EXPECT: q = [-18, 18, -42, 42]
kernel k(a: in i8[4], b: in i8[4], y: out i32[4], z: out i32[4], q: out i32[4])
    launch(block = 4, grid = 1)
{
    let t = thread.rank;
    let sum = i8x2(a[t], a[t]) + i8x2(b[t], b[t]);
    y[t] = i32((sum >> i8x2(1, 7)).x);
    z[t] = i32(max(a[t] + b[t], i8(0)));
    q[t] = i32((a[t] + b[t]) / 3);
}
