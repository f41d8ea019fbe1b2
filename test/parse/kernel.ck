// A kernel has compile-time parameters, parameters, launch and a body.
// RUN: %ckc %s --emit=ast | FileCheck %s
kernel k<T: float = f32, const N: u32 = 4>(n: u64, x: in T[n, N], y: out T[]) launch(block = (N, 2), grid = n) { }
// CHECK:      a kernel k
// CHECK-NEXT: a type_param T
// CHECK-NEXT: a name float
// CHECK-NEXT: b name f32
// CHECK-NEXT: a const_param N
// CHECK-NEXT: name u32
// CHECK-NEXT: b int 4
// CHECK-NEXT: b param n
// CHECK-NEXT: a name u64
// CHECK-NEXT: b param in x
// CHECK-NEXT: a index
// CHECK-NEXT: name T
// CHECK-NEXT: b name n
// CHECK-NEXT: b name N
// CHECK-NEXT: b param out y
// CHECK-NEXT: a index
// CHECK-NEXT: name T
// CHECK-NEXT: c argument block
// CHECK-NEXT: tuple
// CHECK-NEXT: name N
// CHECK-NEXT: int 2
// CHECK-NEXT: c argument grid
// CHECK-NEXT: name n
// CHECK-NEXT: d block
