// Types that are built in keep their names.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f32(x: i64) -> i64 = x;
struct u8 { x: i64; }
const i32 = 4;
kernel f64() {}
kernel k(n: i64) { let bool = 3; for (i16 in 0..3) {} var f32x4 = 3; let f = |f16| 3; }
fn g(u16: i64) = 3;
fn h<u32: type>(x: i64) = x;
struct P { x: i64; fn bf16 -> i64 = self.x; }
fn i64.u64 -> i64 = self;
// CHECK: :3:4: error: 'f32' is a type: nothing else can have its name [type_redeclared]
// CHECK: :4:8: error: 'u8' is a type
// CHECK: :5:7: error: 'i32' is a type
// CHECK: :6:8: error: 'f64' is a type
// CHECK: 'bool' is a type
// CHECK: 'i16' is a type
// CHECK: 'f32x4' is a type
// CHECK: 'f16' is a type
// CHECK: 'u16' is a type
// CHECK: 'u32' is a type
// CHECK-NOT: bf16
