// A name that starts with '_' is seen in its own file alone; imports of an import are not seen.
// RUN: not %ckc %s --target=host 2>&1 | FileCheck %s
import "Inputs/sub/a.ck";
fn _q(x: f32) -> f32 = _p(x);
fn r(x: f32) -> f32 = half(x);
// CHECK: private.ck:4:24: error: '_p' is not declared [undeclared]
// CHECK: private.ck:5:23: error: 'half' is not declared [undeclared]
