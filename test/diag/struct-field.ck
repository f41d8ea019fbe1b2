// Fields without a default are given when a struct is made.
// RUN: not %ckc %s --target=host --stop-after=check 2>&1 | FileCheck %s
struct P { x: f32; y: f32; z: f32 = 0; }
fn f() { let a = P(1, 2); let b = P(y = 1, x = 2); let c = P(1); let d = P(x = 1, z = 2); }
// CHECK-NOT: error:
// CHECK: :4:60: error: {{.*}}'P'
// CHECK: :4:74: error: {{.*}}'P'
// CHECK-NOT: error:
