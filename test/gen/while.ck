// while tests first; break and continue leave and go on.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s
kernel k(n: u32, y: inout u32[1]) { while (y[0] < n) { if (y[0] == 3) break; if (y[0] == 4) continue; y[0] += 1; } }
// CHECK:      while.test:
// CHECK:      br i1 %{{.*}}, label %while.body, label %while.end
// CHECK:      while.body:
// CHECK-DAG: br label %while.end
// CHECK-DAG: br label %while.test
