// A texture, a surface or a tensor map comes from the host program alone: no number is one, no variable starts as one.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
struct Pair<A: type> { a: A; b: i32; }
fn zero<T: type>(v: T) -> T { var z: T; return z; }     // for the call of f below
// CHECK: :4:35: error: a 'texture<2,f32>' is made by the host program [handle_made]
kernel k(t: texture<2, f32>, y: out f32[1]) {
    let a = texture<2, f32>(0);
    // CHECK: :[[@LINE-1]]:13: error: a 'texture<2,f32>' is made by the host program [handle_made]
    // CHECK: hint: A kernel has it as a parameter, and passes it on to functions.
    let b = surface<9, f32>(0);
    // CHECK: :[[@LINE-1]]:13: error: a 'surface<9,f32>' is made by the host program [handle_made]
    var c: texture<2, f32>;
    // CHECK: :[[@LINE-1]]:9: error: a 'texture<2,f32>' is made by the host program [handle_made]
    var d: Pair<texture<2, f32>>[2];
    // CHECK: :[[@LINE-1]]:9: error: a 'texture<2,f32>' is made by the host program [handle_made]
    shared e: (i32, tensor_map<1, f32>)[2];
    // CHECK: :[[@LINE-1]]:12: error: a 'tensor_map<1,f32>' is made by the host program [handle_made]
    let f = zero(t);
    let g = (t, 1);
    y[0] = g[0].sample(1, 2);
    // CHECK-NOT: error:
}
