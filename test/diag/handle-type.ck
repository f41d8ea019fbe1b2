// A texture gives what a GPU reads, of at most three dimensions; a surface has elements of an array.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel a(t: texture<4, f32>, u: texture_array<3, f32>, v: texture<0, f32>) {}
// CHECK: error: there is no 'texture<4,f32>': it has 1 to 3 dimensions [handle_type]
// CHECK: error: there is no 'texture_array<3,f32>': it has 1 to 2 dimensions [handle_type]
// CHECK: hint: Layers are counted apart, as the last coordinate.
// CHECK: error: there is no 'texture<0,f32>': it has 1 to 3 dimensions [handle_type]
kernel b(t: texture<2, f64>, u: texture<2, f16x2>, v: texture<1, f32x3>) {}
// CHECK: error: there is no 'texture<2,f64>': it gives f32 or integers of up to 32 bits, or vectors of 2 or 4 of them [handle_type]
// CHECK: error: there is no 'texture<2,f16x2>': it gives f32
// CHECK: hint: An array of f16 is read as f32.
// CHECK: error: there is no 'texture<1,f32x3>': it gives f32
kernel c(s: surface<2, f16x4>, t: surface_array<1, u64>) {}
// CHECK-NOT: surface<2
// CHECK: error: there is no 'surface_array<1,u64>': its elements are f16, f32 or integers
kernel e(m: tensor_map<4, f32>, n: tensor_map<2, f32x2>) {}
// CHECK: error: there is no 'tensor_map<4,f32>': it has 1 to 3 dimensions [handle_type]
// CHECK: error: there is no 'tensor_map<2,f32x2>': its elements are numbers [handle_type]
kernel d(t: texture<2, f32>, y: out f32[1]) { y[0] = t.sample(1); }
// CHECK: error: {{.*}}sample(x) is for a texture of one dimension
