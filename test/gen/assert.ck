// assert names its condition or its text, the file, the line and the function.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(n: u32) {
  assert(n < 4);
  assert(n < 5, "too many");
}
// CHECK-DAG: c"n < 4\00"
// CHECK-DAG: c"too many\00"
// CHECK-DAG: c"k\00"
// CHECK:      call void @__assertfail(ptr {{.*}}, ptr {{.*}}, i32 4, ptr {{.*}}, i64 1)
// CHECK:      unreachable
// CHECK:      i32 5
