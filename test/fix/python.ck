// Python's ranges and slices, C's pointers and arrays, and members of other names.
// RUN: %python %top/test/fix_test.py %ckc %s | FileCheck %s
struct P { x[3]: f32; q: f32*; }
kernel k(n: u32, z: f32*, x: in f32[n], y: inout f32[n], c[4]: inout u32) {
    for (i in range(n)) y[i] = 0;
    for (i in range(1, n)) y[i] = 0;
    for (i in range(1, n, 2)) y[i] = 0;
    let part = x[1:3];
    var a[4]: f32;
    y[thread_id.x] = part[0] + a[0];
    let old = atomic.fetch_add(c[0], 1);
    for (i in (0..10).rev()) y[i] = 1;
}
// CHECK:      struct P { x: f32[3]; q: ptr<f32>; }
// CHECK-NEXT: kernel k(n: u32, z: inout f32[], x: in f32[n], y: inout f32[n], c: inout u32[4]) {
// CHECK-NEXT: for (i in 0..n) y[i] = 0;
// CHECK-NEXT: for (i in 1..n) y[i] = 0;
// CHECK-NEXT: for (i in (1..n).step(2)) y[i] = 0;
// CHECK-NEXT: let part = x[1..3];
// CHECK-NEXT: var a: f32[4];
// CHECK-NEXT: y[thread.x] = part[0] + a[0];
// CHECK-NEXT: let old = atomic.add(c[0], 1);
// CHECK-NEXT: for (i in (0..10).reverse()) y[i] = 1;
