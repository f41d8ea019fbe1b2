// Within a kind, the wider type is taken: integers of one sign, floats.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn f(a: u8, b: u32, c: i16, d: f32, e: f64, i: i64) { let g = a + b; let h = c * i; let j = d + e; let k: u64 = b; }
// CHECK:      let g : u32
// CHECK-NEXT: b binary + : u32
// CHECK-NEXT: convert : u32
// CHECK:      let h : i64
// CHECK:      let j : f64
// CHECK:      let k : u64
// CHECK:      b convert : u64
