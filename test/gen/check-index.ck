// -check compares each index with its extent, unsigned; without it nothing is compared.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx -check | FileCheck %s
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s --check-prefix=PLAIN
kernel k(n: u32, i: i32, y: out f32[n])
{
  y[i] = 1;
}
// CHECK:      %[[I:.*]] = sext i32 %i to i64
// CHECK:      %[[IN:.*]] = icmp ult i64 %[[I]], %[[N:.*]]
// CHECK:      br i1 %[[IN]], label %check.end, label %check.fail
// CHECK:      call void @ck.check(ptr {{.*}}, i64 %[[I]], i64 %[[N]],
// CHECK-NEXT: unreachable
// CHECK:      define internal void @ck.check(
// CHECK:      call i32 @vprintf
// CHECK:      call void @__assertfail
// PLAIN-NOT:  icmp
