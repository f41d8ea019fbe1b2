// Functions as values leave nothing behind: the same PTX as what is written by hand.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 -D HAND=true -o %t.hand
// RUN: %ckc %s --emit=ptx --target=sm_90 -D HAND=false -o %t.lambda
// RUN: sh -c 'grep -v "^//" %t.hand > %t.1; grep -v "^//" %t.lambda > %t.2; cmp %t.1 %t.2'
// RUN: FileCheck %s < %t.2
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -D HAND=true -o %t.hand
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -D HAND=false -o %t.lambda
// The second back end names registers in another order: its instructions are compared.
// RUN: sh -c "sed '/^\\/\\//d; s/[%].*//' %t.hand > %t.1; sed '/^\\/\\//d; s/[%].*//' %t.lambda > %t.2"
// RUN: cmp %t.1 %t.2
// RUN: FileCheck %s < %t.2
// CHECK-NOT: call
// CHECK: ld.global.nc.f32
// CHECK-NOT: call
const HAND = false;
fn sum_of<F: fn>(n: u32, f: F) -> f32 {
    var sum = 0.0;
    for (i in 0..n) sum += f(i);
    return sum;
}
kernel k(n: u32, a: f32, x: in f32[n], y: in f32[n], z: out f32[1]) launch(block = 1, grid = 1)
{
    comptime if (HAND) {
        var sum = 0.0;
        for (i in 0..n) {
            let (p, q) = (x[i], y[i]);
            sum += (p * 2) * (q + a);
        }
        z[0] = sum;
    } else {
        let combine = |p, q| (p * 2) * (q + a);
        z[0] = sum_of(n, |i| combine(x[i], y[i]));
    }
}
