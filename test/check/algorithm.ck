// An algorithm is a kernel of all resident blocks, whose result is its last parameter.
// RUN: %ckc %s --stop-after=check | FileCheck %s
algorithm twice(n: u32) -> u64 = 2 * n;
// CHECK:      a kernel twice
// CHECK-NEXT: b param n
// CHECK:      b param out result
// CHECK:      c argument block
// CHECK-NEXT: int 256 : u32
// CHECK:      c argument grid
// CHECK-NEXT: name resident : u32
// CHECK:      d block
// CHECK:      a evaluate
// CHECK-NEXT: call
// CHECK:      a return
