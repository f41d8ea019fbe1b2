// A mistake in an imported file is shown in that file.
// RUN: not %ckc %s --target=host 2>&1 | FileCheck %s
import "Inputs/wrong.ck";
// CHECK: Inputs/wrong.ck:1:27: error: 'y' is not declared [undeclared]
// CHECK: fn wrong(x: f32) -> f32 = y;
