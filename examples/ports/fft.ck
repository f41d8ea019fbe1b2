// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fft.ck - the Fourier transform of rows of 1024 complex numbers, y[k] = sum of x[j] * exp(-2 pi i j k / 1024), by
// Stockham's method with radix 4 (Van Loan, Computational Frameworks for the Fast Fourier Transform, 1992). A block
// transforms a row. In each of 5 stages, thread t combines numbers t, t + 256, t + 512 and t + 768: before stage s, those
// are number t % span of four transforms of length span = 4^s, and become numbers of one of length 4 * span. These lie
// in order, so that no digits have to be reversed at the end:
//
//   t, t + 256, t + 512, t + 768   ->   p, p + span, p + 2 * span, p + 3 * span,   p = t / span * 4 * span + t % span
//
// Between stages the numbers are exchanged in shared memory, in two alternating buffers: one barrier a stage.
// TOLERANCE: relative 1e-5 absolute 2e-4
// FOR: rows in 1, 3
// CALL: fft(rows=rows, x=rand:rows x 1024)
// EXPECT: y = where(arange(2) == 0, (x[:, :, 0] @ cos(pi / 512 * (arange(1024)[:, None] * arange(1024) % 1024)) + x[:, :, 1] @ sin(pi / 512 * (arange(1024)[:, None] * arange(1024) % 1024)))[:, :, None], (x[:, :, 1] @ cos(pi / 512 * (arange(1024)[:, None] * arange(1024) % 1024)) - x[:, :, 0] @ sin(pi / 512 * (arange(1024)[:, None] * arange(1024) % 1024)))[:, :, None])
// NAME: a wave has one frequency
// CALL: fft(rows=50, x=where(arange(2) == 0, cos(pi / 512 * (arange(50)[:, None] * 20 * arange(1024)))[:, :, None], sin(pi / 512 * (arange(50)[:, None] * 20 * arange(1024)))[:, :, None]))
// EXPECT: y = where(arange(2) == 0, where(arange(1024) == 20 * arange(50)[:, None], 1024, 0)[:, :, None], 0)
// TOLERANCE: relative 1e-5 absolute 2e-3
// BENCH: fft(rows=2**14, x=rand:2**14 x 1024) bytes = 16 * 1024 * rows, flops = 50 * 1024 * rows

const N: u32 = 1024;
const QUARTER = N / 4;

fn times(a: f32x2, b: f32x2) -> f32x2 = f32x2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);

// The Fourier transform of four numbers.
fn four(v: f32x2[4]) -> f32x2[4]
{
    let (a, b, c, d) = (v[0] + v[2], v[0] - v[2], v[1] + v[3], v[1] - v[3]);
    let turned = f32x2(d.y, -d.x);      // -i * d
    return [a + c, b + turned, a - c, b - turned];
}

// A stage after the first: transforms of length SPAN become ones of length 4 * SPAN.
fn stage<const SPAN: u32>(v: f32x2[4], t: u32) -> f32x2[4]
{
    let angle = f32(t % SPAN) * (-2 * 3.14159265358979 / f32(4 * SPAN));
    let w = f32x2(fast_cos(angle), fast_sin(angle));
    let w2 = times(w, w);
    return four([v[0], times(v[1], w), times(v[2], w2), times(v[3], times(w2, w))]);
}

// Moves numbers from the output positions of the stage of SPAN to the input positions of the next
// one. After each 16 numbers, which fill all banks, PAD elements are left free, so that 16 threads
// that store together use 16 different pairs of banks.
fn exchange<const SPAN: u32, const PAD: u32>(buffer: inout f32x2[], v: f32x2[4], t: u32) -> f32x2[4]
{
    // 64 bits: the four places are one register and a constant each.
    let to = u64(4 * (t - t % SPAN) + t % SPAN + t / 4 * PAD);
    let from = u64(t + t / 16 * PAD);
    unroll for (k in 0u32..4) buffer[to + k * SPAN] = v[k];
    block.sync();
    var r: f32x2[4];
    unroll for (k in 0u32..4) r[k] = buffer[from + k * (QUARTER + QUARTER / 16 * PAD)];
    return r;
}

kernel fft(rows: u32, x: in f32x2[rows, N], y: out f32x2[rows, N])
    launch(block = QUARTER, grid = rows)
{
    shared even: f32x2[N + N / 16];
    shared odd: f32x2[N + N / 4];
    let (row, t) = (block.id.x, thread.x);
    var v: f32x2[4];
    unroll for (k in 0u32..4) v[k] = x[row, t + k * QUARTER];
    v = exchange<1, 1>(even, four(v), t);
    v = exchange<4, 4>(odd, stage<4>(v, t), t);
    v = exchange<16, 0>(even, stage<16>(v, t), t);
    v = exchange<64, 0>(odd, stage<64>(v, t), t);
    v = stage<256>(v, t);
    unroll for (k in 0u32..4) y[row, t + k * QUARTER] = v[k];
}
