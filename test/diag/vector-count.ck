// Vectors have 2, 3, 4, 8 or 16 components.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(v: vec<f32, 5>) {}
kernel k(x: in f32[8], y: out f32[8])
{
    let a = x.load<3>(0);
    y.store(0, f32x3(1));
    let b = x.load<6>(0);
}
// CHECK: error: a vector of 5 components [vector_count]
// CHECK: error: a vector of 3 components [vector_count]
// CHECK: error: a vector of 3 components [vector_count]
// CHECK: error: a vector of 6 components [vector_count]
