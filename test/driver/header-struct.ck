// Spans of structs are addresses; a kernel that takes a struct by value has no launch function.
// REQUIRES: host
// RUN: %ckc %s --emit=header --target=host | FileCheck %s
// RUN: %ckc %s --target=host -o %t
// RUN: %python %S/../manifest/Inputs/validate.py %top/docs/manifest.schema.json %t
struct Pair { x: f32; y: f32; }
kernel whole(p: Pair, q: out Pair[1]) launch(block = 1, grid = 1) { q[0] = p; }
kernel span(q: inout Pair[1]) launch(block = 1, grid = 1) { q[0] = Pair(1, 2); }
// CHECK: /* whole, header-struct.ck:7, has no launch function: 'p' is Pair. */
// CHECK: span_launch(
// CHECK-NEXT: void *q);
