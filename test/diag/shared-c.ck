// Shared memory as C declares it, loops that count down, and pointers to pointers are explained.
// RUN: not %ckc %s --target=host -o /dev/null 2>&1 | FileCheck %s
kernel k(n: u32, x: in f32[n], y: out f32[n]) launch(block = 32, grid = 1)
{
    shared f32 tile[4][8];
    shared float one;
    shared union u { a: f32[32]; b: u8[128]; }
    for (int i = n - 1; i >= 0; i--) y[i] = 1;
    for (u32 i = 9; i > 3; --i) y[i] = 1;
    for (u32 i = n & 7; i > 3; --i) y[i] = 1;
}
fn f(rows: f32**) = 0;
// CHECK: 5:12: error: 'f32 tile[4][8]' is CUDA C++ [cuda_spelling]
// CHECK: fix: write 'tile: f32[4, 8]' instead
// CHECK: 6:12: error: 'float one' is CUDA C++ [cuda_spelling]
// CHECK: fix: write 'one: f32' instead
// CHECK: 7:12: error: 'union u' is CUDA C++ [cuda_spelling]
// CHECK: hint: A union of layouts has no name: its parts are declared as they are.
// CHECK: fix: write 'union {' instead
// CHECK: 8:5: error: 'for (int i = n - 1; i >= 0; i--)' is CUDA C++ [cuda_spelling]
// CHECK: fix: write 'for (i in (0..n).reverse())' instead
// CHECK: 9:5: error: 'for (u32 i = 9; i > 3; --i)' is CUDA C++ [cuda_spelling]
// CHECK: fix: write 'for (i in (3 + 1..9 + 1).reverse())' instead
// CHECK: 10:5: error: 'for (u32 i = n & 7; i > 3; --i)' is CUDA C++ [cuda_spelling]
// CHECK-NEXT: for (u32
// CHECK-NEXT: ^~
// CHECK-NEXT: hint: A for loop goes through a range
// CHECK: 12:12: error: 'f32**' is CUDA C++ [cuda_spelling]
// CHECK: hint: There are no pointers to pointers: memory of two extents is x: in f32[n, m].
// CHECK-NOT: error:
