// inf and nan are of the type in <...>, of that which is asked for, or f32.
// RUN: %ckc %s --dump=check --stop-after=check | FileCheck %s
fn f() { let a = inf; let b: f64 = inf; let c = nan<f16>; let d = -inf<f64>; let e: bf16 = nan; }
// CHECK: let a : f32
// CHECK: let b : f64
// CHECK: let c : f16
// CHECK: let d : f64
// CHECK: let e : bf16
