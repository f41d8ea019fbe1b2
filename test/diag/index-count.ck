// There is one index for each extent of a span.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: inout f32[4, 4]) { x[0] = 1.0; x[0, 1, 2] = 1.0; var a: f32[2]; a[0, 0] = 1.0; }
// CHECK: error: 'inout f32[,]' has 2 extents, 1 indices are given [index_count]
// CHECK: error: 'inout f32[,]' has 2 extents, 3 indices are given [index_count]
// CHECK: error: 'f32[2]' has 1 extents, 2 indices are given [index_count]
