// A kernel takes data of any type by value, and spans of it; a span without a word is 'in'.
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
struct P { x: f32; v: i32[2]; }
kernel k(n: u32, a: f32[4], b: f32[n], c: (f32, i32), d: f32x4, e: bool, p: P, q: in P[2], r: ptr<f32>) { }
// CHECK: "name": "a", "kind": "span", "type": "f32", "access": "in", "extents": ["4"]
// CHECK: "name": "b", "kind": "span", "type": "f32", "access": "in", "extents": ["n"]
// CHECK: "name": "c", "kind": "scalar", "type": "(f32, i32)", "bytes": 8
// CHECK: "name": "d", "kind": "scalar", "type": "f32x4", "bytes": 16
// CHECK: "name": "e", "kind": "scalar", "type": "bool"
// CHECK: "name": "p", "kind": "scalar", "type": "P", "bytes": 12
// CHECK: "name": "q", "kind": "span", "type": "P"
// CHECK: "name": "r", "kind": "scalar", "type": "u64"
