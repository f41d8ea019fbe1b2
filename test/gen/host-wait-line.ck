// A wait knows the line of the program that it stands in, not the library's.
// RUN: %ckc %s --emit=llvm --target=host -O0 --stop-after=gen | FileCheck %s
kernel k(y: inout u32[64]) {
  y[thread.x] = 1;
  block.sync();
}
// CHECK: store i32 5,
// CHECK: call i8 @ck.suspend
