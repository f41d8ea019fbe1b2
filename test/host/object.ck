// A host object is an ELF with the kernels, and the manifest behind it.
// REQUIRES: host
// RUN: %ckc %s --emit=host --target=host -o %t
// RUN: FileCheck %s < %t
kernel saxpy() {}
kernel waits() { block.sync(); }
// CHECK:      saxpy
// CHECK:      "coroutine": true
// CHECK:      CKMANIF1
