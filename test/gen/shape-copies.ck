// A function that asks for the shape is made once for each shape.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
fn f() -> u32 { return block.size; }
kernel a(y: out u32[1]) launch(block = 64) { y[0] = f(); }
kernel b(y: out u32[1]) launch(block = 128) { y[0] = f(); }
kernel c(y: out u32[1]) launch(block = 64) { y[0] = f(); }
// CHECK-COUNT-2: define internal i32 @ck.f
// CHECK-NOT: define internal i32 @ck.f
