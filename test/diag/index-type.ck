// Indices, extents and launch parts are integers.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(p: bool, a: f32, x: inout f32[a]) launch(block = p) { x[a] = 1.0; x[1.5] = 0.0; }
// CHECK: error: an index is an integer, this is 'f32' [index_type]
// CHECK: error: an index is an integer, this is 'bool' [index_type]
// CHECK: error: an index is an integer, this is 'f32' [index_type]
// CHECK: error: an index is an integer, this is 'a number' [index_type]
