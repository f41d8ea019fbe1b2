// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// selective_scan.ck - the forward pass of Mamba's state space model (Gu and Dao, Mamba: Linear-Time
// Sequence Modeling with Selective State Spaces, 2023): of each channel, with N states,
//
//   h[t] = exp(dt[t] * a) * h[t - 1] + dt[t] * b[t] * x[t]      y[t] = sum(c[t] * h[t]) + d * x[t]
//
// A step is an affine function of h, and the composition of affine functions is affine: a block
// processes a channel in chunks, with a scan for each state. x and dt are read once, y is written
// once: 12 bytes an element of f32. b and c, 8 * N bytes a step, are shared by all channels and
// hit the L2 cache.
// CALL: selective_scan<f32, 1, 32, 4>(batches=1, channels=1, length=3, x=[1, 2, 3], dt=[1, 1, 1], a=[[0]], b=[1, 1, 1], c=[1, 1, 2], d=[10])
// EXPECT: y = [11, 23, 42]
// FOR: L in 1, 129, 300
// CALL: selective_scan<f32, 4, 32, 4>(batches=2, channels=3, length=L, x=rand:(6 * L), dt=rand:(6 * L):1:0..0.2, a=rand:3x4:2:-2..0, b=rand:(8 * L), c=rand:(8 * L), d=rand:3)
// EXPECT: y = [sum([s := 0 * a[j], *[s := exp(dt.reshape(6, L)[3 * i + j, t] * a[j]) * s + dt.reshape(6, L)[3 * i + j, t] * b.reshape(2, 4, L)[i, :, t] * x.reshape(6, L)[3 * i + j, t] for t in range(L)]][1:].T * c.reshape(2, 4, L)[i], axis=0) + d[j] * x.reshape(6, L)[3 * i + j] for i in range(2) for j in range(3)]
// TOLERANCE: 1e-5
// CALL: selective_scan<bf16>(batches=1, channels=2, length=1500, x=rand:3000, dt=rand:3000:1:0..0.1, a=rand:2x16:2:-2..0, b=rand:24000, c=rand:24000, d=rand:2)
// EXPECT: y = host
// TOLERANCE: 0.02
// BENCH: selective_scan<f32>(batches=2, channels=1024, length=4096, x=rand:2*1024*4096, dt=rand:2*1024*4096:1:0..0.1, a=rand:1024x16:2:-2..0, b=rand:2*16*4096, c=rand:2*16*4096, d=rand:1024) bytes = 12 * 2 * 1024 * 4096

struct Step { decay: f32; input: f32; }             // h becomes decay * h + input
fn then(p: Step, q: Step) -> Step = Step(q.decay * p.decay, q.decay * p.input + q.input);

kernel selective_scan<T: float = f32, const N: u32 = 16, const BLOCK: u32 = 128,
                      const ITEMS: u32 = 8>(
    batches: u32, channels: u32, length: u32, x: in T[batches * channels * length],
    dt: in T[batches * channels * length], a: in f32[channels, N], b: in T[batches * N * length],
    c: in T[batches * N * length], d: in f32[channels], y: out T[batches * channels * length])
    launch(block = BLOCK, grid = (channels, batches))
{
    static_assert(N <= 32, "a lane keeps a state");
    let (channel, batch) = (block.id.x, block.id.y);
    let start = u64(batch * channels + channel) * length;
    var kept = 0.0;                                 // lane n: state n after the chunk
    for (t in (0..length).step(BLOCK * ITEMS)) {
        let from = start + t;
        let left = length - t;
        let xs = block.load<vectorized>(x, from, ITEMS, valid = left);
        let dts = block.load<vectorized>(dt, from, ITEMS, valid = left);
        var ys: f32[ITEMS];
        unroll for (k in 0..ITEMS) ys[k] = d[channel] * f32(xs[k]);
        for (n in 0..N) {
            let at = u64(batch * N + n) * length + t;
            let bs = block.load<vectorized>(b, at, ITEMS, valid = left);
            let cs = block.load<vectorized>(c, at, ITEMS, valid = left);
            var steps: Step[ITEMS];
            unroll for (k in 0..ITEMS) {
                let by = f32(dts[k]);
                steps[k] = Step(fast { exp(by * a[channel, n]) }, by * f32(bs[k]) * f32(xs[k]));
            }
            let before = warp.broadcast(kept, n);
            let (h, all) = block.inclusive_scan_total(steps, then, init = Step(1, before));
            if (warp.lane == n) kept = all.decay * before + all.input;
            unroll for (k in 0..ITEMS) ys[k] += f32(cs[k]) * h[k].input;
        }
        var rounded: T[ITEMS];
        unroll for (k in 0..ITEMS) rounded[k] = T(ys[k]);
        block.store<vectorized>(y, from, rounded, valid = left);
    }
}
export selective_scan<f32>, selective_scan<bf16>;
