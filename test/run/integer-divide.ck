// What C leaves undefined of / and % has a value: x / 0 is all ones, x % 0 is x, lowest / -1 itself.
// RUN: %run-test %s
// CALL: signed(a=[7, -7, -2147483648, 5, -7], b=[2, 2, -1, 0, 0], q=zeros:5, r=zeros:5)
// EXPECT: q = [3, -3, -2147483648, -1, -1]
// EXPECT: r = [1, -1, 0, 5, -7]
// CALL: unsigned(a=[7, 4294967295], b=[0, 2], q=zeros:2)
// EXPECT: q = [4294967295, 2147483647]
kernel signed(a: in i32[5], b: in i32[5], q: out i32[5], r: out i32[5]) launch(block = 5, grid = 1)
{
    let i = thread.x;
    q[i] = a[i] / b[i];
    r[i] = a[i] % b[i];
}
kernel unsigned(a: in u32[2], b: in u32[2], q: out u32[2]) launch(block = 1, grid = 1)
{
    let zero = 0u32;
    q[0] = a[0] / zero;
    q[1] = a[1] / b[1];
}
