// An own item and an imported one of the same name are an error.
// RUN: not %ckc %s --target=host 2>&1 | FileCheck %s
import "Inputs/clash.ck";
const TILE: u32 = 2;
fn half(x: f32) -> f32 = 2;
// CHECK: clash-own.ck:3:1: error: 'TILE' is declared in '{{.*}}Inputs/clash.ck' and in '{{.*}}clash-own.ck' [import_clash]
// CHECK: clash-own.ck:3:1: error: 'half' is declared in
// CHECK-NOT: error:
