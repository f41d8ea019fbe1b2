// A name of a type that is built in is said once, where it is declared: it goes on being the type.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f32(x: i32) -> i32 = x;
// CHECK: :[[@LINE-1]]:4: error: 'f32' is a type: nothing else can have its name [type_redeclared]
struct u8x4 { a: f32; }
// CHECK: error: 'u8x4' is a type
fn half(x: f32) -> f32 = x / 2;
kernel halved(n: u32, x: in f32[n], y: out f32[n], v: in u8x4[1]) launch(block = 32, grid = 1)
{
    let i32 = 3;
    // CHECK: error: 'i32' is a type
    let v: f32 = 1;
    for (u16 in 0..4) y[0] = f32(u16(n));
    // CHECK: error: 'u16' is a type
    if (thread.x < n) y[thread.x] = half(x[thread.x]) * v + f32(i32(n));
    // CHECK-NOT: error:
}
