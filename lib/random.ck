// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// random.ck - random numbers from the counter-based generator Philox4x32-10: a pure function of
// seed, sequence and index, without state.
//
// J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3" (SC 2011).
// Ten rounds encrypt a counter of 128 bits with a key of 64 bits; different counters give
// independent numbers. The key is the seed; the counter's upper half is the sequence, its lower
// half the index. So philox(seed, s, i) equals cuRAND's curand4 after curand_init(seed, s, 4 * i)
// of a Philox state.
//
//   let bits = philox(seed, grid.thread_rank, 0);
//   let v = random_normal(bits); // four f32

// The 64-bit product. For an unsigned product with a constant above 2^31, LLVM emits mul.lo.s64,
// for which ptxas adds two instructions; mul.wide.u32 is one instruction.
fn __philox_product(a: u32, const b: u32) -> u64 {
    comptime if (__is_host()) return u64(a) * b;
    else return asm<u64>("mul.wide.u32 $0, $1, $2;", a, b);
}

fn __philox_round(c: u32x4, k0: u32, k1: u32) -> u32x4 {
    let (a, b) = (__philox_product(c.x, 0xd2511f53), __philox_product(c.z, 0xcd9e8d57));
    return u32x4(u32(b >> 32) ^ c.y ^ k0, u32(b), u32(a >> 32) ^ c.w ^ k1, u32(a));
}

// Four independent words of random bits.
fn philox(seed: u64, sequence: u64, index: u64) -> u32x4 {
    var c = u32x4(u32(index), u32(index >> 32), u32(sequence), u32(sequence >> 32));
    unroll for (i in 0u32..10) {
        c = __philox_round(c, u32(seed) + i * 0x9e3779b9u32, u32(seed >> 32) + i * 0xbb67ae85u32);
    }
    return c;
}

// Uniform in (0, 1], so that its logarithm is finite: at least 2^-33 for 32 bits, 2^-54 for 64.
fn random_uniform(bits: u32) -> f32 = fma(f32(bits), 0x1p-32, 0x1p-33);
fn random_uniform(bits: u64) -> f64 = fma(f64(bits >> 11), 0x1p-53f64, 0x1p-54f64);

// Sine and cosine of the angle 2 * pi * bits / 2^32, with an error of at most 2 * 2^-24. Range
// reduction is exact and needs no rounding function: the nearest quadrant is in the two highest
// bits of h = bits + 2^29, and the remainder w is the lower 30 bits as a signed number, at most pi
// / 4 in magnitude. The polynomials are minimax approximations, fitted by Lawson's iteration.
fn __turn(bits: u32) -> (f32, f32) {
    let w = f32(bit_cast<i32>(bits << 2)) * 0x1.921fb6p-32;    // 2 * pi / 2^34
    let t = w * w;
    let s = fma(w * t, fma(t, fma(t, -0.00019515284, 0.0083321603), -0.16666655), w);
    let c = fma(t, fma(t, fma(t, fma(t, 2.4433157e-5, -0.0013887316), 0.041666646), -0.5), 1);
    let h = bits + (1u32 << 29);
    let odd = h >> 30 & 1 == 1;
    let (sine, cosine) = (odd ? c : s, odd ? s : c);
    return (bit_cast<f32>(bit_cast<u32>(sine) ^ h & 1u32 << 31), bit_cast<f32>(bit_cast<u32>(cosine) ^ h + (1u32 << 30) & 1u32 << 31));
}

// Normal distribution of mean 0 and variance 1. Box and Muller (1958): two words give two values.
fn random_normal(bits: u32x2) -> f32x2 {
    let radius = sqrt(-2 * log(random_uniform(bits.x)));
    let (sine, cosine) = __turn(bits.y);
    return f32x2(radius * sine, radius * cosine);
}
fn random_normal(bits: u32x4) -> f32x4 {
    let (a, b) = (random_normal(u32x2(bits.x, bits.y)), random_normal(u32x2(bits.z, bits.w)));
    return f32x4(a.x, a.y, b.x, b.y);
}

// Exponential distribution of mean 1.
fn random_exponential(bits: u32) -> f32 = -log(random_uniform(bits));
fn random_exponential(bits: u64) -> f64 = -log(random_uniform(bits));

// An integer from 0 to n - 1. Its probability differs from 1 / n by less than 2^-32. 0 if n is 0.
fn random_below(bits: u32, n: u32) -> u32 = mul_hi(bits, n);
