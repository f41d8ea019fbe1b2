// A block of constants is the only one that is launched.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel a() launch(block = (32, 4)) {}
kernel b(n: u32) launch(block = n) {}
// CHECK-DAG: !{ptr @a, !"kernel", i32 1}
// CHECK-DAG: !{ptr @a, !"reqntidx", i32 32}
// CHECK-DAG: !{ptr @a, !"reqntidy", i32 4}
// CHECK-DAG: !{ptr @a, !"reqntidz", i32 1}
// CHECK-DAG: !{ptr @b, !"kernel", i32 1}
// CHECK-NOT: !{ptr @b, !"reqntid
