// A lambda can't copy a large array, nor a shared one of five extents.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(y: out f32[2]) launch(block = 1, grid = 1) {
    shared tile: f32[2, 2, 2, 2, 2];
    var big: f32[2000];
    let f = |i| tile[i, 0, 0, 0, 0];
    let g = |i| big[i];
}
// CHECK: capture.ck:6:17: error: a lambda captures by value: 'tile' is 'f32[2, 2, 2, 2, 2]' [capture]
// CHECK: capture.ck:7:17: error: a lambda captures by value: 'big' is 'f32[2000]' [capture]
