// Pointers of C, and of languages with the star in front, as parameters, fields, variables and results.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
struct P { q: f32*; }
fn first(p: ptr<f32>) -> *f32 = p;
kernel k(x: f32*, y: *f32, n: u32) {
    var p: u32* = ptr<u32>(0);
}
kernel s(n: u32) { extern __shared__ float s[]; }
// CHECK: 3:15: error: 'f32*' is CUDA C++ [cuda_spelling]
// CHECK: fix: write 'ptr<f32>' instead
// CHECK: 4:26: error: '*f32' is CUDA C++
// CHECK: fix: write 'ptr<f32>' instead
// CHECK: 5:13: error: 'f32*' is CUDA C++
// CHECK: hint: An extent of other parameters, x: in f32[n], is checked, and passed as a pointer alone; a pointer is ptr<f32>.
// CHECK: fix: write 'inout f32[]' instead
// CHECK: 5:22: error: '*f32' is CUDA C++
// CHECK: fix: write 'inout f32[]' instead
// CHECK: 6:12: error: 'u32*' is CUDA C++
// CHECK: fix: write 'ptr<u32>' instead
// CHECK: 8:20: error: 'extern __shared__ float s' is CUDA C++
// CHECK: hint: Shared memory whose size the launch says is shared s: f32[dyn n];, with n a parameter of the kernel.
// CHECK-NOT: error:
