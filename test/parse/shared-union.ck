// A union in shared memory: the first part has the others below it.
// RUN: %ckc %s --dump=parse --stop-after=parse | FileCheck %s
kernel k(y: out u32[1]) { shared union { a: f32[8]; b: u32; c: u8[4, 2]; } y[0] = b; }
// CHECK:      a shared a
// CHECK-NEXT:   index
// CHECK-NEXT:     name f32
// CHECK-NEXT:     b int 8
// CHECK-NEXT:   d shared b
// CHECK-NEXT:     name u32
// CHECK-NEXT:   d shared c
// CHECK-NEXT:     index
// CHECK:      a assign
