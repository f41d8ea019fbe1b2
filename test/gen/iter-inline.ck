// Iterators leave nothing behind: the same PTX as of the index expression that is written by hand.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 -D HAND=true -o %t.hand
// RUN: %ckc %s --emit=ptx --target=sm_90 -D HAND=false -o %t.iter
// RUN: sh -c 'grep -v "^//" %t.hand > %t.1; grep -v "^//" %t.iter > %t.2; cmp %t.1 %t.2'
// RUN: FileCheck %s < %t.2
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -D HAND=true -o %t.hand
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -D HAND=false -o %t.iter
// The second back end names registers in another order: its instructions are compared.
// RUN: sh -c "sed '/^\\/\\//d; s/[%].*//' %t.hand > %t.1; sed '/^\\/\\//d; s/[%].*//' %t.iter > %t.2"
// RUN: cmp %t.1 %t.2
// RUN: FileCheck %s < %t.2
// CHECK-NOT: call
// CHECK: ld.global.nc.f32
// CHECK-NOT: call
const HAND = false;
kernel k(n: u64, x: in f32[n], y: in f32[n], z: out f32[1]) launch(block = 1, grid = 1)
{
    var sum = 0.0;
    comptime if (HAND) {
        for (i in 0..n) sum += x[i] * 2 * y[i];
    } else {
        let it = x.map(|v| v * 2).zip(y);
        for (i in 0..it.len) sum += it[i][0] * it[i][1];
    }
    z[0] = sum;
}
kernel gathered(n: u32, x: in f32[n], at: in u32[n], y: out f32[n]) launch(block = 128, grid = ceil_div(n, 128))
{
    let i = grid.thread_rank;
    comptime if (HAND) {
        if (i < n) y[i] = x[at[u64(n) - 1 - i]] * f32(i);
    } else {
        if (i < n) y.take(n)[i] = x.gather(at.reverse()).enumerate().map(|p| p[1] * f32(p[0]))[i];
    }
}
