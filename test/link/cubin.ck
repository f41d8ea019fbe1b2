// A cubin is an ELF with the kernel, and the manifest behind it.
// REQUIRES: nvjitlink
// RUN: %ckc %s --emit=cubin --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
kernel saxpy() {}
// CHECK:      saxpy
// CHECK:      "name": "saxpy"
// CHECK:      CKMANIF1
