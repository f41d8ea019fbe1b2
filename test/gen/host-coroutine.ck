// A kernel that waits is a coroutine that says what it waits for.
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s
kernel k(y: out u32[8]) { block.sync(); warp.sync(3); y[thread.x] = 1; }
// CHECK:      define ptr @kernel.k(ptr %0, ptr %1, ptr %2)
// CHECK:      call token @llvm.coro.id(i32 128,
// CHECK:      call ptr @ck_host_frame(
// CHECK:      store i32 1,
// CHECK:      call i8 @ck.suspend()
// CHECK:      store i32 2,
// CHECK:      call i8 @ck.suspend()
