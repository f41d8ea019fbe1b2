// The manifest says how many bytes of dynamic shared memory a launch takes.
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
kernel a(n: u32) { shared x: f32[dyn n]; }
kernel b(n: u32, m: u32) { shared x: f64[dyn n, m + 1]; shared y: u8[dyn m]; shared z: f32[4]; }
kernel c(n: u32) { shared x: f32[13000]; shared y: i16[dyn n]; }
// CHECK: "name": "a",
// CHECK: "dynamic_shared": "n 4 * 15 + 16 / 16 *",
// CHECK-NEXT: "shared_bytes": 0
// CHECK: "name": "b",
// CHECK: "dynamic_shared": "n m 1 + u32 * 8 * 15 + 16 / 16 * m 1 * 15 + 16 / 16 * +",
// CHECK-NEXT: "shared_bytes": 16
// CHECK: "name": "c",
// CHECK: "dynamic_shared": "n 2 * 15 + 16 / 16 * 52000 +",
// CHECK-NEXT: "shared_bytes": 0
