// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block.ck - block and warp primitives inside a kernel, repeated so that the primitive dominates: the
// kernels of cub_block_bench.cu, line by line. block.c times them beside CUB's, and compares what
// they leave.

struct Four { a: u32; b: u32; c: u32; d: u32; }
fn +(x: Four, y: Four) -> Four = Four(x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d);

kernel reduce<T: type, const B: u32, const I: u32>(repeat: u32, x: in T[], y: out T[]) launch(block = B)
{
    var v = block.load(x, block.id.x * B * I, I);
    unroll(1) for (r in 0..repeat) v[0] = v[0] + block.reduce(v, +);
    block.store(y, block.id.x * B * I, v);
}
kernel scan<T: int, const B: u32, const I: u32>(repeat: u32, x: in T[], y: out T[]) launch(block = B)
{
    var v = block.load(x, block.id.x * B * I, I);
    unroll(1) for (r in 0..repeat) {
        v = block.exclusive_scan(v, +);
        unroll for (k in 0..I) v[k] ^= T(k + 1);
    }
    block.store(y, block.id.x * B * I, v);
}
kernel radix_sort<T: int, const B: u32, const I: u32>(repeat: u32, x: in T[], y: out T[]) launch(block = B)
{
    var v = block.load(x, block.id.x * B * I, I);
    unroll(1) for (r in 0..repeat) {
        v = block.radix_sort(v);
        unroll for (k in 0..I) v[k] = v[k] * 2654435761 + T(k);
    }
    block.store(y, block.id.x * B * I, v);
}
kernel merge_sort<T: int, const B: u32, const I: u32>(repeat: u32, x: in T[], y: out T[]) launch(block = B)
{
    var v = block.load(x, block.id.x * B * I, I);
    unroll(1) for (r in 0..repeat) {
        v = block.merge_sort(v, <);
        unroll for (k in 0..I) v[k] = v[k] * 2654435761 + T(k);
    }
    block.store(y, block.id.x * B * I, v);
}
kernel exchange<T: int, const B: u32, const I: u32>(repeat: u32, x: in T[], y: out T[]) launch(block = B)
{
    var v = block.load(x, block.id.x * B * I, I);
    unroll(1) for (r in 0..repeat) {
        v = block.exchange<blocked_to_striped>(v);
        unroll for (k in 0..I) v[k] += T(k);
    }
    block.store(y, block.id.x * B * I, v);
}
kernel warp_reduce<T: number, const B: u32, const I: u32>(repeat: u32, x: in T[], y: out T[]) launch(block = B)
{
    let i = block.id.x * B + thread.x;
    var v = x[i];
    unroll(1) for (r in 0..repeat) v += warp.sum(v);
    y[i] = v;
}
kernel warp_scan<T: int, const B: u32, const I: u32>(repeat: u32, x: in T[], y: out T[]) launch(block = B)
{
    let i = block.id.x * B + thread.x;
    var v = x[i];
    unroll(1) for (r in 0..repeat) v = warp.inclusive_scan(v, +) ^ 1;
    y[i] = v;
}
