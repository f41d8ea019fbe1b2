// What names a type in C and C++ leads to `type`.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
using T = f32;
typedef float U;
// CHECK: 3:1: error: 'using' is CUDA C++ [cuda_spelling]
// CHECK: hint: Another name for a type is type Key = u32;
// CHECK: 4:1: error: 'typedef' is CUDA C++ [cuda_spelling]
// CHECK: hint: Another name for a type is type Key = u32;
