// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kernels.ck - eight kernels of nvcc_bench.cu, translated line by line from CUDA C++, so that the ratio
// of their times measures code generation. The ninth is an idiomatic softmax in CK. kernels.c
// times them beside nvcc's and checks the results.
// CALL: softmax_rows<4, 32>(x=[[0, 0, 0, 0], [1, 1, 1, 1]])
// EXPECT: y = 0.25
// CALL: softmax_rows(x=rand:3x4096)
// EXPECT: y = host
// EXPECT: y = exp(x) / exp(x).sum(axis=1, keepdims=True)
// CALL: softmax_rows<1028, 64>(x=rand:5x1028:1:-90..90)
// EXPECT: y = host
// EXPECT: y = exp(x - 90) / exp(x - 90).sum(axis=1, keepdims=True)
// TOLERANCE: 1e-5
// BENCH: softmax_rows(x=rand:65536x4096) bytes = 8 * 4096 * rows

// 1. transpose: a tile of 32 by 32 in shared memory, 32 by 8 threads
kernel transpose(h: u32, w: u32, a: in f32[h, w], b: out f32[w, h])
    launch(block = (32, 8), grid = (ceil_div(w, 32), ceil_div(h, 32)))
{
    shared tile: f32[32, 33];
    var x = block.id.x * 32 + thread.x;
    var y = block.id.y * 32 + thread.y;
    unroll for (j in (0u32..32).step(8))
        if (y + j < h && x < w) tile[thread.y + j, thread.x] = a[y + j, x];
    block.sync();
    x = block.id.y * 32 + thread.x;
    y = block.id.x * 32 + thread.y;
    unroll for (j in (0u32..32).step(8))
        if (y + j < w && x < h) b[y + j, x] = tile[thread.x, thread.y + j];
}

// 2. stencil: 5 points, one output a thread, the neighbours through the caches
kernel stencil(h: u32, w: u32, a: in f32[h * w], b: inout f32[h * w])
    launch(block = (32, 8), grid = (ceil_div(w, 32), ceil_div(h, 8)))
{
    let x = block.id.x * 32 + thread.x;
    let y = block.id.y * 8 + thread.y;
    if (x > 0 && y > 0 && x + 1 < w && y + 1 < h) {
        let i = u64(y) * w + x;
        b[i] = 0.5 * a[i] + 0.125 * (a[i - 1] + a[i + 1] + a[i - w] + a[i + w]);
    }
}

// 3. softmax: a block of 256 a row, three passes
fn reduce_xor<F: fn>(value: f32, op: F, s: inout f32[]) -> f32 {
    var v = value;
    unroll for (k in 0..5) v = op(v, warp.shuffle_xor(v, 16u32 >> k));
    if (thread.x % 32 == 0) s[thread.x / 32] = v;
    block.sync();
    v = s[thread.x % 8];
    unroll for (k in 0..3) v = op(v, warp.shuffle_xor(v, 4u32 >> k));
    block.sync();
    return v;
}
kernel softmax(rows: u32, n: u32, x: in f32[rows, n], y: out f32[rows, n])
    launch(block = 256, grid = rows)
{
    shared s: f32[8];
    let row = block.id.x;
    var m = -inf;
    var t = 0.0;
    for (i in (thread.x..n).step(256)) m = max(m, x[row, i]);
    m = reduce_xor(m, |a, b| max(a, b), s);
    for (i in (thread.x..n).step(256)) t += fast_exp(x[row, i] - m);
    t = 1 / reduce_xor(t, |a, b| a + b, s);
    for (i in (thread.x..n).step(256)) y[row, i] = fast_exp(x[row, i] - m) * t;
}

// 4. matmul: a tile of 128 by 128 a block, 8 deep, 8 by 8 outputs a thread; n is a multiple of 128
kernel matmul(n: u32, a: in f32[n, n], b: in f32[n, n], c: out f32[n, n])
    launch(block = 256, grid = (n / 128, n / 128))
{
    shared sa: f32[8, 128];
    shared sb: f32[8, 128];
    let (tx, ty) = (thread.x % 16, thread.x / 16);
    let (row, col) = (block.id.y * 128, block.id.x * 128);
    var acc: f32[8, 8];
    for (k in (0..n).step(8)) {
        let (ar, ac) = (thread.x / 2, thread.x % 2 * 4);
        let (br, bc) = (thread.x / 32, thread.x % 32 * 4);
        let va = a.load<4>(row + ar, k + ac);
        let vb = b.load<4>(k + br, col + bc);
        unroll for (i in 0u32..4) sa[ac + i, ar] = va[i];
        sb.store(br, bc, vb);
        block.sync();
        unroll for (d in 0..8) {
            var fa: f32[8];
            var fb: f32[8];
            unroll for (i in 0u32..8) {
                fa[i] = sa[d, ty * 8 + i];
                fb[i] = sb[d, tx * 8 + i];
            }
            unroll for (i in 0u32..8) unroll for (j in 0u32..8) acc[i, j] += fa[i] * fb[j];
        }
        block.sync();
    }
    unroll for (i in 0u32..8)
        unroll for (j in 0u32..8) c[row + ty * 8 + i, col + tx * 8 + j] = acc[i, j];
}

// 5. histogram: 256 bins, a copy a block in shared memory, then global atomics
kernel histogram<const BLOCKS: u32 = 132 * 8>(n: u64, x: in u32[n], bins: inout u32[256])
    launch(block = 256, grid = BLOCKS)
{
    shared s: u32[256];
    s[thread.x] = 0;
    block.sync();
    for (i in grid.stride(n)) atomic.add(s[x[i] & 255], 1);
    block.sync();
    atomic.add(bins[thread.x], s[thread.x]);
}

// 6. n-body: all pairs, a tile of 256 bodies in shared memory; n is a multiple of 256
kernel nbody(n: u32, p: in f32x4[n], f: out f32x4[n]) launch(block = 256, grid = n / 256)
{
    shared s: f32x4[256];
    let i = block.id.x * 256 + thread.x;
    let me = p[i];
    var ax = 0.0;
    var ay = 0.0;
    var az = 0.0;
    for (t in (0..n).step(256)) {
        s[thread.x] = p[t + thread.x];
        block.sync();
        unroll(8) for (j in 0..256) {
            let dx = s[j].x - me.x;
            let dy = s[j].y - me.y;
            let dz = s[j].z - me.z;
            let r = rsqrt(dx * dx + dy * dy + dz * dz + 1e-3);
            let g = s[j].w * r * r * r;
            ax += g * dx;
            ay += g * dy;
            az += g * dz;
        }
        block.sync();
    }
    f[i] = f32x4(ax, ay, az, 0);
}

// 7. warp scan: sums of the elements up to each one, 32 at a time; n is a multiple of 256
kernel warp_scan<const BLOCKS: u32 = 132 * 8>(n: u64, x: in u32[n], y: out u32[n])
    launch(block = 256, grid = BLOCKS)
{
    for (t in (u64(block.id.x)..n / 256).step(BLOCKS)) {
        let i = t * 256 + thread.x;
        var v = x[i];
        unroll for (k in 0..5) {
            let d = 1u32 << k;
            let u = warp.shuffle_up(v, d);
            if (thread.x % 32 >= d) v += u;
        }
        y[i] = v;
    }
}

// 8. Mandelbrot: at most 256 iterations
kernel mandelbrot(w: u32, h: u32, out_: out u32[h, w])
    launch(block = (32, 8), grid = (ceil_div(w, 32), ceil_div(h, 8)))
{
    let x = block.id.x * 32 + thread.x;
    let y = block.id.y * 8 + thread.y;
    if (x >= w || y >= h) return;
    let cx = -2 + 3 * f32(x) / f32(w);
    let cy = -1.5 + 3 * f32(y) / f32(h);
    var zx = 0.0;
    var zy = 0.0;
    var k = 0u32;
    while (k < 256 && zx * zx + zy * zy < 4) {
        let t = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy;
        zx = t;
        k++;
    }
    out_[y, x] = k;
}

// 9. softmax with a row in the block's registers, 16 bytes an access: each element is read once and
// written once. N is a multiple of 4.
fn block_total<const WARPS: u32, F: fn>(of_warp: f32, none: f32, all_lanes: F) -> f32 {
    shared part: f32[WARPS];        // the same bytes in both calls
    if (warp.lane == 0) part[warp.rank] = of_warp;
    block.sync();
    return all_lanes(warp.lane < WARPS ? part[warp.lane % WARPS] : none);
}
kernel softmax_rows<const N: u32 = 4096, const BLOCK: u32 = 256>(
    rows: u32, x: in f32[rows, N], y: out f32[rows, N]) launch(block = BLOCK, grid = rows)
{
    const EACH = (N - 1) / (4 * BLOCK) + 1;    // vectors of a thread
    const WARPS = BLOCK / 32;
    let row = block.id.x;
    var v: f32x4[EACH];
    var m = -inf;
    unroll for (k in 0..EACH) {
        let i = 4 * (k * BLOCK + thread.x);
        v[k] = f32x4(-inf);
        if (i < N) v[k] = x.load<4>(row, i);
        m = max(m, max(max(v[k].x, v[k].y), max(v[k].z, v[k].w)));
    }
    m = block_total<WARPS>(warp.max(m), -inf, |a| warp.max(a));
    var t = 0.0;
    unroll for (k in 0..EACH) {
        v[k] = fast { exp(v[k] - m) };
        t += sum(v[k]);
    }
    let scale = 1 / block_total<WARPS>(warp.sum(t), 0, |a| warp.sum(a));
    unroll for (k in 0..EACH) {
        let i = 4 * (k * BLOCK + thread.x);
        if (i < N) y.store(row, i, v[k] * scale);
    }
}
