// ceil_div rounds up, and does not overflow.
// RUN: %ckc %s --emit=llvm --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(y: out u32[2]) { y[0] = ceil_div(7, 2); y[1] = ceil_div(4294967295u32, 2); }
// CHECK:      store i32 4,
// CHECK:      store i32 -2147483648,
