// ceil_div rounds up below zero too; by 0 it is all ones, and the lowest by -1 is itself, as abs of it is.
// RUN: %run-test %s
kernel k(n: u32, a: in i32[n], b: in i32[n], y: out i32[n], z: out i32[n]) launch(block = 1, grid = n) {
    let i = block.id.x;
    y[i] = ceil_div(a[i], b[i]);
    z[i] = abs(a[i]);
}
// CALL: k(a=[-7, 7, -7, 7, 5, -2147483648], b=[2, -2, -2, 2, 0, -1])
// EXPECT: y=[-3, -3, 4, 4, -1, -2147483648]
// EXPECT: z=[7, 7, 7, 7, 5, -2147483648]
