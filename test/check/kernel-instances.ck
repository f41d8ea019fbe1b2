// A kernel is compiled with its defaults, unless export or --instance names instances of it.
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
// RUN: %ckc %s --emit=manifest --target=sm_90 "--instance=b<8>" | FileCheck %s --check-prefix=NAMED
kernel a<const N: u32 = 4>(y: out f32[N]) {}
kernel b<const N: u32>(y: out f32[N]) {}
kernel c<T: float = f32>(y: out T[1]) {}
export c<f64>;
// CHECK-NOT: "name": "b
// CHECK-NOT: "name": "c<f32>"
// CHECK-DAG: "name": "a<4>"
// CHECK-DAG: "name": "c<f64>"
// NAMED-DAG: "name": "b<8>"
