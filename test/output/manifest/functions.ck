// What a piece of a link has for others, and what it calls of theirs, with types; the host has no links.
// RUN: %ckc %s --emit=manifest --target=sm_90 -o %t && FileCheck %s < %t
// RUN: %ckc %s --emit=manifest --target=host | FileCheck %s --check-prefix=HOST
// RUN: %python %S/Inputs/validate.py %top/docs/manifest.schema.json %t
export fn twice(x: f32, p: ptr<f32>) -> f32 { return x + p[0]; }
export fn nothing(i: i64) {}
import fn far(a: u32) -> i32;
import fn unused(a: u32) -> i32;
fn both(a: u32) -> i32 = far(a) + far(a + 1);
kernel k(x: inout i32[1]) launch(block = 1, grid = 1)
{
    comptime if (!target.is_host) x[0] = both(2) + far(1);
}
// CHECK:      "functions": [
// CHECK-NEXT: {"name": "twice", "type": "fn(f32, ptr<f32>) -> f32"},
// CHECK-NEXT: {"name": "nothing", "type": "fn(i64)"},
// CHECK-NEXT: {"name": "far", "type": "fn(u32) -> i32", "imported": true}
// CHECK-NEXT: ]
// HOST-NOT: "functions"
