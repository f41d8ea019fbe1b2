// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block.ck - block and warp primitives inside a kernel, repeated so that the primitive dominates:
// line by line the kernels of cub_block_bench.cu and cub_block.cu. block.c times them beside CUB's
// and compares the results.

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

// The additional kernel of cub_block.cu: a round loads a tile and stores it.
kernel load_store<const HOW: u32, T: type, const B: u32, const I: u32>(repeat: u32, x: in T[], y: inout T[]) launch(block = B)
{
    let base = block.id.x * B * I;
    block.store<striped>(y, base, block.load<striped>(x, base, I));
    block.sync();
    unroll(1) for (r in 0..repeat) {
        var v = block.load<HOW>(y, base, I);
        block.sync();
        unroll for (k in 0..I) v[k] = more(v[k], k);
        block.store<HOW>(y, base, v);
        block.sync();
    }
}
fn more(x: u32, k: u32) -> u32 = x + k;
fn more(x: Four, k: u32) -> Four = Four(x.a + k, x.b, x.c, x.d);

kernel histogram<T: int, const B: u32, const I: u32>(repeat: u32, x: in T[], y: out T[]) launch(block = B)
{
    shared counts: u32[256];
    var v = block.load(x, block.id.x * B * I, I);
    unroll(1) for (r in 0..repeat) {
        for (i in block.stride(256)) counts[i] = 0;
        block.sync();
        var bins: T[I];
        unroll for (k in 0..I) bins[k] = v[k] & 255;
        block.histogram(bins, counts);
        block.sync();
        unroll for (k in 0..I) v[k] = v[k] * 2654435761 + counts[bins[k]];
        block.sync();
    }
    block.store(y, block.id.x * B * I, v);
}
kernel histogram_sort<T: int, const B: u32, const I: u32>(repeat: u32, x: in T[], y: out T[]) launch(block = B)
{
    shared counts: u32[256];
    var v = block.load(x, block.id.x * B * I, I);
    unroll(1) for (r in 0..repeat) {
        var bins: u8[I];
        unroll for (k in 0..I) bins[k] = u8(v[k]);
        block.histogram<sort>(bins, counts, clear = true);
        block.sync();
        unroll for (k in 0..I) v[k] = v[k] * 2654435761 + counts[bins[k]];
        block.sync();
    }
    block.store(y, block.id.x * B * I, v);
}
kernel scan_four<T: type, const B: u32, const I: u32>(repeat: u32, x: in T[], y: out T[]) launch(block = B)
{
    var v = block.load(x, block.id.x * B * I, I);
    unroll(1) for (r in 0..repeat) {
        v = block.exclusive_scan(v, +, init = Four(0, 0, 0, 0));
        unroll for (k in 0..I) v[k].a ^= k + 1;
    }
    block.store(y, block.id.x * B * I, v);
}
kernel exchange_four<T: type, const B: u32, const I: u32>(repeat: u32, x: in T[], y: out T[]) launch(block = B)
{
    var v = block.load(x, block.id.x * B * I, I);
    unroll(1) for (r in 0..repeat) {
        v = block.exchange<blocked_to_striped>(v);
        unroll for (k in 0..I) v[k].a += k;
    }
    block.store(y, block.id.x * B * I, v);
}
kernel merge_sort_four<T: type, const B: u32, const I: u32>(repeat: u32, x: in T[], y: out T[]) launch(block = B)
{
    var v = block.load(x, block.id.x * B * I, I);
    unroll(1) for (r in 0..repeat) {
        v = block.merge_sort(v, |p, q| p.a < q.a);
        unroll for (k in 0..I) v[k].a = v[k].a * 2654435761 + k;
    }
    block.store(y, block.id.x * B * I, v);
}
kernel radix_float<T: type, const B: u32, const I: u32>(repeat: u32, x: in T[], y: out T[]) launch(block = B)
{
    var v = block.load(x, block.id.x * B * I, I);
    unroll(1) for (r in 0..repeat) {
        v = block.radix_sort(v);
        unroll for (k in 0..I) v[k] = bit_cast<T>(bit_cast<u32>(v[k]) * 2654435761 + k);
    }
    block.store(y, block.id.x * B * I, v);
}
kernel radix_pairs<T: type, const B: u32, const I: u32>(repeat: u32, x: in T[], y: out T[]) launch(block = B)
{
    var v = block.load(x, block.id.x * B * I, I);
    var w = block.load(count<u32>(), 0, I);
    unroll(1) for (r in 0..repeat) {
        (v, w) = block.radix_sort(v, w);
        unroll for (k in 0..I) v[k] = bit_cast<T>(bit_cast<u32>(v[k]) * 2654435761 + w[k]);
    }
    block.store(y, block.id.x * B * I, v);
}
