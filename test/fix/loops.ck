// Loops: of C, of Python and Rust, and conditions without parentheses.
// RUN: %python %top/test/fix_test.py %ckc %s | FileCheck %s
kernel k(n: u32, y: inout u32[n]) {
    for (int i = 0; i < n; ++i) y[i] = 1;
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) y[i] += 1;
    for (int i = 1; i <= n - 1; i++) y[i] += 1;
    for (int i = 0; i != 4; i += 2) { y[i] = 0; }
    #pragma unroll
    for (int i = 0; i < 4; ++i) y[i] *= 2;
    #pragma unroll 2
    for (int i = 0; i < 4; ++i) y[i] *= 2;
    for (;;) { break; }
    for i in 0..n { y[i] = 3; }
    if n > 3 { y[0] = 1; }
}
// CHECK:      for (i in 0..n) y[i] = 1;
// CHECK-NEXT: for (i in (thread.x..n).step(block.dim.x)) y[i] += 1;
// CHECK-NEXT: for (i in 1..n - 1 + 1) y[i] += 1;
// CHECK-NEXT: for (i in (0..4).step(2)) { y[i] = 0; }
// CHECK-NEXT: unroll
// CHECK-NEXT: for (i in 0..4) y[i] *= 2;
// CHECK-NEXT: unroll(2)
// CHECK-NEXT: for (i in 0..4) y[i] *= 2;
// CHECK-NEXT: while (true) { break; }
// CHECK-NEXT: for (i in 0..n) { y[i] = 3; }
// CHECK-NEXT: if (n > 3) { y[0] = 1; }
