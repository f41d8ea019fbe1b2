// A launch leaves out block and grid, or neither; the kernel's contract is that of the arguments.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: in f32[], y: out f32[]) launch(block = 64, grid = ceil_div(x.len, 64)) { y[0] = x[0]; }
kernel none(x: in f32[], y: out f32[]) { y[0] = x[0]; }
algorithm a(x: in f32[], y: out f32[]) {
    launch none(x, y);
// CHECK: [[@LINE-1]]:12: error: the launch does not say its block [plan_shape]
    launch k(block = 4, x, y);
// CHECK: [[@LINE-1]]:12: error: the launch does not say its grid [plan_shape]
    launch k((|v: f32[]| x)(x), y);
// CHECK: [[@LINE-1]]:12: error: the launch does not say its grid [plan_shape]
    launch k(x, y);
// CHECK-NOT: error
}
