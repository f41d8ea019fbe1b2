// A kernel that does not wait loops over the threads of its block.
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s
kernel k(y: out u32[8]) launch(block = 8) { y[thread.x] = 1; }
// CHECK:      define void @kernel.k(ptr %0, ptr %1)
// CHECK:      phi i32 [ 0, %threads ]
// CHECK:      icmp ult i32 %{{.*}}, 8
