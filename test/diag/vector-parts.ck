// The parts of a vector have as many components as the vector.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: in f32[8], y: out f32[8])
{
    let a = f32x4(1, 2, 3);
    let b = f32x4(f32x3(0), f32x2(1));
}
// CHECK: error: 'f32x4' has 4 components, 3 are given [vector_parts]
// CHECK: error: 'f32x4' has 4 components, 5 are given [vector_parts]
