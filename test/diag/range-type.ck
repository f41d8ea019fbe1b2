// A range of literals is named by the type that it has, and once for each pair of brackets.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(m: in f32[4, 4], y: out f32[1]) {
    let part = m[0..2, 1..3];
    for (i in (0..10).rev()) y[0] = 1;
}
// CHECK:     4:18: error: an index is an integer, this is 'range<i32>' [index_type]
// CHECK-NOT: error:
// CHECK:     5:15: error: 'range<i32>' has no member 'rev' [no_member]
// CHECK:     hint: Did you mean 'reverse'?
// CHECK-NOT: error:
