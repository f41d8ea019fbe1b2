// A kernel that waits is two functions: one starts a thread, one resumes it behind any of its waits.
// REQUIRES: host
// RUN: %ckc %s --emit=llvm --target=host | FileCheck %s
kernel k(y: inout u32[64]) { y[thread.x] = 1; block.sync(); y[thread.y] += 2; block.sync(); y[0] = 3; }
// CHECK:      define {{.*}}ptr @kernel.k(
// CHECK:      call {{.*}}ptr @ck_host_frame(ptr {{[^,]*}}, i32 {{[0-9]+}})
// CHECK:      store ptr @kernel.k.resume,
// CHECK:      define internal {{.*}}void @kernel.k.resume(
// CHECK:      switch
// CHECK-NOT:  @kernel.k.resume.
