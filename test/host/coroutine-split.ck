// Each wait ends a function: the next one goes on behind it.
// REQUIRES: host
// RUN: %ckc %s --emit=llvm --target=host | FileCheck %s
kernel k(y: inout u32[64]) { y[thread.x] = 1; block.sync(); y[thread.y] += 2; block.sync(); y[0] = 3; }
// CHECK:      define {{.*}}ptr @kernel.k(
// CHECK:      ret ptr @kernel.k.resume.0
// CHECK:      define internal {{.*}} @kernel.k.resume.0
// CHECK:      ret ptr @kernel.k.resume.1
// CHECK:      define internal {{.*}} @kernel.k.resume.1
