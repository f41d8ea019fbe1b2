// A cubin was linked to the end: its functions are for no other piece, so its manifest lists none.
// REQUIRES: nvjitlink
// RUN: %ckc %s --emit=cubin --target=sm_90 -o - | FileCheck %s
// RUN: %ckc %s --emit=fatbin --target=sm_90 -o - | FileCheck %s
// RUN: %ckc %s --emit=ptx --target=sm_90 -o - | FileCheck %s --check-prefix=PIECE
export fn twice(x: i32) -> i32 = 2 * x;
kernel k() {}
// CHECK:     "name": "k"
// CHECK-NOT: "functions"
// PIECE:     "functions": [
