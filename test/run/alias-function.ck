// A function may be given the same memory to read and to write: what it writes, it reads.
// RUN: %run-test %s
// CALL: k(x=[1, 2, 3, 4])
// EXPECT: x = [7, 7, 3, 9]
fn f(a: in f32[], b: inout f32[]) -> f32 { let old = a[0]; b[0] = old + 6; return a[0]; }
fn g(a: in f32[], b: inout f32[]) -> f32 { b[3] = 9.0; return a[3]; }
kernel k(x: inout f32[4]) launch(block = 1, grid = 1)
{
    x[1] = f(x, x);
    var v: f32[4];
    x[3] = g(v, v);
}
