// A compile-time argument is given once: by its name, in its place, or in <...>.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f<const N: u32>(x: u32) -> u32 = x + N;
fn g(x: u32, const n: u32) -> u32 = x + n;
kernel k(y: out u32[5])
{
    y[0] = f(1, N = 2, N = 3);
    // CHECK: :[[#@LINE-1]]:24: error: the parameter 'N' is given twice [twice_argument]
    y[1] = f<5>(1, N = 3);
    // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: error: the parameter 'N' is given twice [twice_argument]
    y[2] = g(1, 2, n = 3);
    // CHECK: :[[#@LINE-1]]:20: error: the parameter 'n' is given twice [twice_argument]
    y[3] = f(1, N = 2) + f(N = 3, x = 1) + f<5>(1) + g(1, 2) + g(1, n = 2) + g(n = 2, x = 1);
}
// CHECK-NOT: error
