// A vector type that there is none of is one mistake, wherever it stands.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel made(n: u32, y: out f32[1]) launch(block = 1, grid = 1)
{
    let v = vec<f32, 5>(0);
    // CHECK: :[[@LINE-1]]:22: error: a vector of 5 components [vector_count]
    // CHECK-NOT: error:
    let w = vec<f32, 1>(n);
    // CHECK: error: a vector of 1 component [vector_count]
    // CHECK-NOT: error:
    let u = vec<f32x4, 2>(0);
    // CHECK: error: 'vec<f32x4, 2>' is not a type [unknown_type]
    // CHECK-NOT: error:
}
