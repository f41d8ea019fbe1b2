// What follows a trap is not reached.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(n: u32, y: out u32[1]) { if (n > 3) trap(); y[0] = n; }
// CHECK:      call void @llvm.trap()
// CHECK:      unreachable
// CHECK:      store i32
