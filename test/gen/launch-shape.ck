// What the launch contract says of a block is a constant.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(y: out u32[4]) launch(block = 64) { y[0] = block.dim.x; y[1] = block.size; y[2] = thread.y; y[3] = block.dim.z; }
// CHECK:      @k(
// CHECK:      store i32 64
// CHECK:      store i32 64
// CHECK:      store i32 0
// CHECK:      store i32 1
