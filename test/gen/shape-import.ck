// A function of another file is read once more for a second shape.
// RUN: split-file %s %t && %ckc %t/main.ck --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %t/main.ck
//--- size.ck
// A comment.
fn f(a: u32) -> u32 { var all: u32[block.size]; return u32(all.len) + a; }
//--- main.ck
import "size.ck";
kernel a(y: out u32[1]) launch(block = 64) { y[0] = f(1); }
kernel b(y: out u32[1]) launch(block = 128) { y[0] = f(2); }
// CHECK: define internal i32 @ck.f
// CHECK: ret i32 %{{.*}}
// CHECK: define internal i32 @ck.f
