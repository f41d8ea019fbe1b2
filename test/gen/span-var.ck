// A variable may hold a span, and another later.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(p: bool, x: in f32[4], y: out f32[4]) { var s = x; if (p) s = x; y[1] = s[1]; }
// CHECK:      %s = alloca { ptr, i64 }
// CHECK:      store { ptr, i64 }
// CHECK:      store { ptr, i64 }
// CHECK:      %[[S:.*]] = load { ptr, i64 }, ptr %s
// CHECK:      extractvalue { ptr, i64 } %[[S]], 0
// CHECK:      load float
