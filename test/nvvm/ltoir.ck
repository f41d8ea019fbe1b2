// LTO-IR is made, with the manifest in it.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ltoir --target=sm_90 --backend=libnvvm -o %t
// RUN: FileCheck %s < %t
kernel k() {}
// CHECK:      "name": "k"
// CHECK:      CKMANIF1
