// Intrinsics are the library's.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k() { __block_sync(); __syncthreads(); }
// CHECK: error: '__block_sync' is internal: only the library may call it [only_library]
// CHECK: hint: Names that start with two underscores belong to the library.
// CHECK: error: '__syncthreads' is CUDA C++ [cuda_spelling]
// CHECK: fix: write 'block.sync' instead
