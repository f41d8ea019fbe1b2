// Spans have 4 extents at most, arrays 8, launch parts 3; arrays have theirs written.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: in f32[1, 1, 1, 1, 1]) launch(grid = (1, 1, 1,
    1)) { var a: f32[1,1,1,1,1,1,1,1,1]; var b: f32[]; }
// CHECK: error: 5 extents are written, a span has 1 to 4 [extent_count]
// CHECK: error: 4 extents are written, a launch has 1 to 3 [extent_count]
// CHECK: error: 9 extents are written, an array has 1 to 8 [extent_count]
// CHECK: error: 0 extents are written, an array has 1 to 8 [extent_count]
// CHECK: hint: Only a parameter may leave its extent open: x: in f32[].
