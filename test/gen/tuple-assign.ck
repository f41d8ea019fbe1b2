// All values of a tuple are worked out before the first is assigned.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(x: inout u32[2]) { (x[0], x[1]) = (x[1], x[0]); }
// CHECK:      %[[B:.*]] = load i32
// CHECK:      %[[A:.*]] = load i32
// CHECK:      store i32
// CHECK:      store i32
