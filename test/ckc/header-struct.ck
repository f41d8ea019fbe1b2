// Structs are C's, in the order in which they need each other; what C has no type for is void or refused.
// REQUIRES: host
// RUN: %ckc %s --emit=header --target=host | FileCheck %s
// RUN: %ckc %s --target=host -o %t
// RUN: %python %top/test/output/manifest/Inputs/validate.py %top/docs/manifest.schema.json %t
struct Pair { x: f32; y: f16; }
struct Deep<T: type> { a: Pair[2, 3]; class: T; p: ptr<f32>; fn first() -> T = self.class; }
struct Four { v: f32x4; }
kernel whole(p: Deep<u64>, q: out Deep<u64>[1]) launch(block = 1, grid = 1) { q[0] = p; }
kernel four(p: Four) launch(block = 1, grid = 1) {}
kernel tuple(p: (f32, i32)) launch(block = 1, grid = 1) {}
kernel span(q: out Four[1]) launch(block = 1, grid = 1) { q[0].v = f32x4(0); }
algorithm spread(n: u64, x: in f32[n]) -> Pair = Pair(reduce(x, max, -inf), 0.0);
// CHECK: typedef struct header_struct_Pair {
// CHECK-NEXT: float x;
// CHECK-NEXT: uint16_t y;
// CHECK-NEXT: } header_struct_Pair;
// CHECK: typedef struct header_struct_Deep_u64 {
// CHECK-NEXT: header_struct_Pair a[2][3];
// CHECK-NEXT: uint64_t class_;
// CHECK-NEXT: void * p;
// CHECK-NEXT: } header_struct_Deep_u64;
// CHECK: whole_launch(
// CHECK-NEXT: header_struct_Deep_u64 p,
// CHECK-NEXT: header_struct_Deep_u64 *q);
// CHECK: /* four, header-struct.ck:10, has no launch function: 'p' is Four. */
// CHECK: /* tuple, header-struct.ck:11, has no launch function: 'p' is (f32, i32). */
// CHECK: span_launch(
// CHECK-NEXT: void *q);
// CHECK: spread_launch(
// CHECK: header_struct_Pair *result);
