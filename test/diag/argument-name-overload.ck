// The name of an argument that no overload has, nor what is no function: an error of the call.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32, x: in f32[n], y: out f32[4]) launch(block = 32)
{
    y[0] = sin(z = 1.0);
    y[1] = sin(x = n);
    y[2] = warp.tile<8>.sum(zz = 1.0);
    y[3] = f32(x.extent(axis = 0));
}
// CHECK: 5:12: error: no 'sin' takes (z = a number) [no_overload]
// CHECK: 6:12: error: no 'sin' takes (x = u32)
// CHECK: hint: Convert the argument: sin(f32(n)).
// CHECK: 7:12: error: no 'sum' takes (zz = a number)
// CHECK: 8:25: error: 'extent' has no parameter 'axis' [unknown_argument]
