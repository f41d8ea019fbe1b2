// The manifest has an algorithm's kernel, and what its result is made of.
// RUN: %ckc %s --emit=manifest --target=sm_90 > %t
// RUN: FileCheck %s < %t
// RUN: %python %top/test/output/manifest/Inputs/validate.py %top/docs/manifest.schema.json %t
struct In { a: u8; b: f64; }
struct Out { x: i16; y: In; v: f32x2; }
algorithm sum(n: u64) -> i64 = grid.reduce(count<i64>(1).take(n), +, 0);
algorithm out(n: u32) -> Out = Out(1, In(2, 3), f32x2(4, 5));
// CHECK:      "name": "sum",
// CHECK:      {"name": "result", "kind": "span", "type": "i64", "access": "out", "extents": ["1"]}
// CHECK:      "launch": {"block": ["256"], "grid": ["grid.resident"]},
// CHECK:      "scratch_bytes": "grid.x grid.y * u32 grid.z * u32 8 * 255 + 256 / 256 *",
// CHECK:      "algorithms": [
// CHECK:      "name": "sum",
// CHECK:      "result": [
// CHECK-NEXT: {"name": "", "type": "i64", "offset": 0}
// CHECK:      "name": "out",
// CHECK:      {"name": ".x", "type": "i16", "offset": 0},
// CHECK-NEXT: {"name": ".y.a", "type": "u8", "offset": 8},
// CHECK-NEXT: {"name": ".y.b", "type": "f64", "offset": 16},
// CHECK-NEXT: {"name": ".v[0]", "type": "f32", "offset": 24},
// CHECK-NEXT: {"name": ".v[1]", "type": "f32", "offset": 28}
