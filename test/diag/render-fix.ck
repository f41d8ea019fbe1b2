// A fix shows what would stand in the place.
// RUN: split-file %s %t
// RUN: cd %t
// RUN: not %ckc in.ck --stop-after=check 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
//--- in.ck
kernel k(y: out u32[1]) { y[0] = threadIdx.x; }
//--- expect
// CHECK:in.ck:1:34: error: 'threadIdx' is CUDA C++ [cuda_spelling]
// CHECK-NEXT:kernel k(y: out u32[1]) { y[0] = threadIdx.x; }
// CHECK-NEXT:                                 ^~~~~~~~~
// CHECK-NEXT:fix: write 'thread' instead
// CHECK-NEXT:kernel k(y: out u32[1]) { y[0] = threadIdx.x; }
// CHECK-NEXT:                                 thread
