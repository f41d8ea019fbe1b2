// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// half.ck - the mathematical functions of f16 and bf16: computed in f32, then rounded.

fn sin<T: half>(x: T) -> T = T(sin(f32(x)));
fn cos<T: half>(x: T) -> T = T(cos(f32(x)));
fn tan<T: half>(x: T) -> T = T(tan(f32(x)));
fn sinpi<T: half>(x: T) -> T = T(sinpi(f32(x)));
fn cospi<T: half>(x: T) -> T = T(cospi(f32(x)));
fn saturate<T: half>(x: T) -> T = T(saturate(f32(x)));
fn asin<T: half>(x: T) -> T = T(asin(f32(x)));
fn acos<T: half>(x: T) -> T = T(acos(f32(x)));
fn atan<T: half>(x: T) -> T = T(atan(f32(x)));
fn sinh<T: half>(x: T) -> T = T(sinh(f32(x)));
fn cosh<T: half>(x: T) -> T = T(cosh(f32(x)));
fn tanh<T: half>(x: T) -> T = T(tanh(f32(x)));
fn asinh<T: half>(x: T) -> T = T(asinh(f32(x)));
fn acosh<T: half>(x: T) -> T = T(acosh(f32(x)));
fn atanh<T: half>(x: T) -> T = T(atanh(f32(x)));
fn exp<T: half>(x: T) -> T = T(exp(f32(x)));
fn exp2<T: half>(x: T) -> T = T(exp2(f32(x)));
fn exp10<T: half>(x: T) -> T = T(exp10(f32(x)));
fn expm1<T: half>(x: T) -> T = T(expm1(f32(x)));
fn log<T: half>(x: T) -> T = T(log(f32(x)));
fn log2<T: half>(x: T) -> T = T(log2(f32(x)));
fn log10<T: half>(x: T) -> T = T(log10(f32(x)));
fn log1p<T: half>(x: T) -> T = T(log1p(f32(x)));
fn sqrt<T: half>(x: T) -> T = T(sqrt(f32(x)));
fn rsqrt<T: half>(x: T) -> T = T(rsqrt(f32(x)));
fn cbrt<T: half>(x: T) -> T = T(cbrt(f32(x)));
fn floor<T: half>(x: T) -> T = T(floor(f32(x)));
fn ceil<T: half>(x: T) -> T = T(ceil(f32(x)));
fn trunc<T: half>(x: T) -> T = T(trunc(f32(x)));
fn rint<T: half>(x: T) -> T = T(rint(f32(x)));
fn round<T: half>(x: T) -> T = T(round(f32(x)));
fn erf<T: half>(x: T) -> T = T(erf(f32(x)));
fn erfc<T: half>(x: T) -> T = T(erfc(f32(x)));
fn tgamma<T: half>(x: T) -> T = T(tgamma(f32(x)));
fn lgamma<T: half>(x: T) -> T = T(lgamma(f32(x)));

fn pow<T: half>(x: T, y: T) -> T = T(pow(f32(x), f32(y)));
fn atan2<T: half>(x: T, y: T) -> T = T(atan2(f32(x), f32(y)));
fn hypot<T: half>(x: T, y: T) -> T = T(hypot(f32(x), f32(y)));
fn fmod<T: half>(x: T, y: T) -> T = T(fmod(f32(x), f32(y)));
fn copysign<T: half>(x: T, y: T) -> T = T(copysign(f32(x), f32(y)));

// x * y + z, rounded once.
fn fma(x: f16, y: f16, z: f16) -> f16 = __fmaf16(x, y, z);
fn fma(x: bf16, y: bf16, z: bf16) -> bf16 = __fmabf16(x, y, z);

fn is_nan<T: half>(x: T) -> bool = x != x;
fn is_inf<T: half>(x: T) -> bool = abs(x) == T(inf);

// Minimum and maximum: one instruction from sm_80 on; for vectors, one for each two components.
fn min(a: f16, b: f16) -> f16 = __fminf16(a, b);
fn max(a: f16, b: f16) -> f16 = __fmaxf16(a, b);
fn min(a: bf16, b: bf16) -> bf16 = __fminbf16(a, b);
fn max(a: bf16, b: bf16) -> bf16 = __fmaxbf16(a, b);
fn __min_pair(a: f16x2, b: f16x2) -> f16x2 = bit_cast<f16x2>(asm<u32>("min.f16x2 $0, $1, $2;", bit_cast<u32>(a), bit_cast<u32>(b)));
fn __max_pair(a: f16x2, b: f16x2) -> f16x2 = bit_cast<f16x2>(asm<u32>("max.f16x2 $0, $1, $2;", bit_cast<u32>(a), bit_cast<u32>(b)));
fn __min_pair(a: bf16x2, b: bf16x2) -> bf16x2 = bit_cast<bf16x2>(asm<u32>("min.bf16x2 $0, $1, $2;", bit_cast<u32>(a), bit_cast<u32>(b)));
fn __max_pair(a: bf16x2, b: bf16x2) -> bf16x2 = bit_cast<bf16x2>(asm<u32>("max.bf16x2 $0, $1, $2;", bit_cast<u32>(a), bit_cast<u32>(b)));
// Applies `pair` to two components at a time, and `one` to the last component if N is odd.
fn __by_pairs<T: half, const N: u32, F: fn, G: fn>(a: vec<T, N>, b: vec<T, N>, pair: F, one: G) -> vec<T, N> {
    var r: vec<T, N>;
    unroll for (i in (0..N / 2 * 2).step(2)) {
        let both = pair(vec<T, 2>(a[i], a[i + 1]), vec<T, 2>(b[i], b[i + 1]));
        r[i] = both.x;
        r[i + 1] = both.y;
    }
    comptime if (N % 2 == 1) r[N - 1] = one(a[N - 1], b[N - 1]);
    return r;
}
fn min<T: half, const N: u32>(a: vec<T, N>, b: vec<T, N>) -> vec<T, N> {
    comptime if (target.is_gpu && target.sm >= 80) return __by_pairs(a, b, |p, q| __min_pair(p, q), |p, q| min(p, q));
    else {
        var r: vec<T, N>;
        unroll for (i in 0..N) r[i] = min(a[i], b[i]);
        return r;
    }
}
fn max<T: half, const N: u32>(a: vec<T, N>, b: vec<T, N>) -> vec<T, N> {
    comptime if (target.is_gpu && target.sm >= 80) return __by_pairs(a, b, |p, q| __max_pair(p, q), |p, q| max(p, q));
    else {
        var r: vec<T, N>;
        unroll for (i in 0..N) r[i] = max(a[i], b[i]);
        return r;
    }
}
fn abs<T: half>(a: T) -> T = T(abs(f32(a)));
