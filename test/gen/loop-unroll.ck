// unroll is a hint on the branch back, with its count.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(y: inout i32[1]) { unroll for (i in 0..8) y[0] += i; unroll(4) for (i in 0..100) y[0] += i; }
// CHECK:      br i1 %{{.*}}, !llvm.loop ![[A:[0-9]+]]
// CHECK:      br i1 %{{.*}}, !llvm.loop ![[B:[0-9]+]]
// CHECK-DAG: ![[A]] = distinct !{![[A]], ![[C:[0-9]+]]}
// CHECK-DAG: ![[C]] = !{!"llvm.loop.unroll.full"}
// CHECK-DAG: !{!"llvm.loop.unroll.count", i32 4}
