// Python's imports, ranges, slices and divisions.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
import numpy as np
from numba import cuda
kernel k(n: u32, x: in f32[n], m: in f32[4, 4], z: inout i32[n], y: out f32[n]) {
    for (i in range(n)) y[i] = 0;
    for (i in range(1, n, 2)) y[i] = 0;
    let part = x[1:3];
    let tail = x[1:];
    let even = x[::2];
    let column = m[:, 0];
    let chosen = x[n > 2 ? 1 : 0];
    z[0] = z[0] // 2;
    z[1] = 1;
}
fn f() -> u32 {
    let one = 1u32 // a comment of several words
    return one;
}
// CHECK:      3:1: error: 'import numpy' is Python [foreign_spelling]
// CHECK:      hint: The library is there without an import; another file is import "file.ck";.
// CHECK:      4:1: error: 'from' is Python
// CHECK:      6:15: error: 'range(n)' is Python
// CHECK:      fix: write '0..n' instead
// CHECK:      7:15: error: 'range(1, n, 2)' is Python
// CHECK:      fix: write '(1..n).step(2)' instead
// CHECK:      8:18: error: '1:3' is Python
// CHECK:      fix: write '1..3' instead
// CHECK:      9:18: error: '1:' is Python
// CHECK:      hint: A slice has both ends: x[lo..hi], the last is x[lo..x.len].
// CHECK:      10:18: error: '::2' is Python
// CHECK:      hint: Every second element is strided(x, 2).
// CHECK:      11:20: error: ':, 0' is Python
// CHECK:      hint: The column j is m.column(j), the row i is m[i] or m.row(i).
// CHECK:      13:16: error: expected ';'
// CHECK:      hint: '//' starts a comment; integers are divided by '/', towards zero.
// CHECK:      17:19: error: expected ';'
// CHECK:      fix: write ';' here
// CHECK-NOT:  error:
