// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// math.ck - C's mathematical functions for f32 and f64. On a GPU their accuracy is libdevice's
// (CUDA C++ Programming Guide, "Mathematical Functions"). On the host it is the C library's, which
// isn't worse: test/accuracy compares both with NVIDIA's bounds.

// For larger arguments the C library's reduction modulo pi lacks the bits for results near 0.
const __large: f64 = 1e8;

fn sin(x: f32) -> f32 = __sinf(x);
fn sin(x: f64) -> f64
{
    comptime if (__is_host()) if (abs(x) > __large) return __sin_large(x);
    return __sin(x);
}
fn cos(x: f32) -> f32 = __cosf(x);
fn cos(x: f64) -> f64
{
    comptime if (__is_host()) if (abs(x) > __large) return __cos_large(x);
    return __cos(x);
}
fn tan(x: f32) -> f32 = __tanf(x);
fn tan(x: f64) -> f64
{
    comptime if (__is_host()) if (abs(x) > __large) return __tan_large(x);
    return __tan(x);
}

// The sine and cosine of pi * x, without rounding pi * x: exactly 0 at integers (sine), and at
// integers + 0.5 (cosine). On the host the nearest multiple of 0.5 is subtracted, which is exact;
// its number q selects sine or cosine, and the sign.
fn __pi_part(x: f64) -> (f64, i32) {
    let y = fmod(x, 2.0f64);
    let q = rint(2 * y);
    return (3.141592653589793f64 * (y - q / 2), i32(q) & 3);
}
fn __sin_quarter(r: f64, q: i32) -> f64 {
    let v = (q & 1) == 0 ? __sin(r) : __cos(r);
    return (q & 2) == 0 ? v : -v;
}
fn sinpi(x: f64) -> f64 {
    comptime if (__is_host()) {
        let (r, q) = __pi_part(x);
        return x == rint(x) ? copysign(0.0f64, x) : __sin_quarter(r, q);
    } else return __sinpi(x);
}
fn cospi(x: f64) -> f64 {
    comptime if (__is_host()) {
        let (r, q) = __pi_part(abs(x));
        if (r == 0 && (q & 1) == 1) return 0;
        return __sin_quarter(r, q + 1);
    } else return __cospi(x);
}
fn sinpi(x: f32) -> f32 { comptime if (__is_host()) return f32(sinpi(f64(x))); else return __sinpif(x); }
fn cospi(x: f32) -> f32 { comptime if (__is_host()) return f32(cospi(f64(x))); else return __cospif(x); }
fn sincos<T: float>(x: T) -> (T, T) = (sin(x), cos(x));
fn sincospi<T: float>(x: T) -> (T, T) = (sinpi(x), cospi(x));

fn asin(x: f32) -> f32 = __asinf(x);
fn asin(x: f64) -> f64 = __asin(x);
fn acos(x: f32) -> f32 = __acosf(x);
fn acos(x: f64) -> f64 = __acos(x);
fn atan(x: f32) -> f32 = __atanf(x);
fn atan(x: f64) -> f64 = __atan(x);
fn sinh(x: f32) -> f32 = __sinhf(x);
fn sinh(x: f64) -> f64 = __sinh(x);
fn cosh(x: f32) -> f32 = __coshf(x);
fn cosh(x: f64) -> f64 = __cosh(x);
fn tanh(x: f32) -> f32 = __tanhf(x);
fn tanh(x: f64) -> f64 = __tanh(x);
fn asinh(x: f32) -> f32 = __asinhf(x);
fn asinh(x: f64) -> f64 = __asinh(x);
fn acosh(x: f32) -> f32 = __acoshf(x);
fn acosh(x: f64) -> f64 = __acosh(x);
fn atanh(x: f32) -> f32 = __atanhf(x);
fn atanh(x: f64) -> f64 = __atanh(x);
fn exp(x: f32) -> f32 = __expf(x);
fn exp(x: f64) -> f64 = __exp(x);
fn exp2(x: f32) -> f32 = __exp2f(x);
fn exp2(x: f64) -> f64 = __exp2(x);
fn exp10(x: f32) -> f32 = __exp10f(x);
fn exp10(x: f64) -> f64 = __exp10(x);
fn expm1(x: f32) -> f32 = __expm1f(x);
fn expm1(x: f64) -> f64 = __expm1(x);
fn log(x: f32) -> f32 = __logf(x);
fn log(x: f64) -> f64 = __log(x);
fn log2(x: f32) -> f32 = __log2f(x);
fn log2(x: f64) -> f64 = __log2(x);
fn log10(x: f32) -> f32 = __log10f(x);
fn log10(x: f64) -> f64 = __log10(x);
fn log1p(x: f32) -> f32 = __log1pf(x);
fn log1p(x: f64) -> f64 = __log1p(x);
fn sqrt(x: f32) -> f32 = __sqrtf(x);
fn sqrt(x: f64) -> f64 = __sqrt(x);
fn rsqrt(x: f32) -> f32 = __rsqrtf(x);
fn rsqrt(x: f64) -> f64 = __rsqrt(x);
fn cbrt(x: f32) -> f32 = __cbrtf(x);
fn cbrt(x: f64) -> f64 = __cbrt(x);
fn floor(x: f32) -> f32 = __floorf(x);
fn floor(x: f64) -> f64 = __floor(x);
fn ceil(x: f32) -> f32 = __ceilf(x);
fn ceil(x: f64) -> f64 = __ceil(x);
fn trunc(x: f32) -> f32 = __truncf(x);
fn trunc(x: f64) -> f64 = __trunc(x);
fn rint(x: f32) -> f32 = __rintf(x);
fn rint(x: f64) -> f64 = __rint(x);
fn round(x: f32) -> f32 = __roundf(x);
fn round(x: f64) -> f64 = __round(x);
fn erf(x: f32) -> f32 = __erff(x);
fn erf(x: f64) -> f64 = __erf(x);
fn erfc(x: f32) -> f32 = __erfcf(x);
fn erfc(x: f64) -> f64 = __erfc(x);
fn tgamma(x: f32) -> f32 = __tgammaf(x);
fn tgamma(x: f64) -> f64 = __tgamma(x);
fn lgamma(x: f32) -> f32 = __lgammaf(x);
fn lgamma(x: f64) -> f64 = __lgamma(x);

fn pow(x: f32, y: f32) -> f32 = __powf(x, y);
fn pow(x: f64, y: f64) -> f64 = __pow(x, y);
fn atan2(x: f32, y: f32) -> f32 = __atan2f(x, y);
fn atan2(x: f64, y: f64) -> f64 = __atan2(x, y);
fn hypot(x: f32, y: f32) -> f32 = __hypotf(x, y);
fn hypot(x: f64, y: f64) -> f64 = __hypot(x, y);
fn fmod(x: f32, y: f32) -> f32 = __fmodf(x, y);
fn fmod(x: f64, y: f64) -> f64 = __fmod(x, y);
fn copysign(x: f32, y: f32) -> f32 = __copysignf(x, y);
fn copysign(x: f64, y: f64) -> f64 = __copysign(x, y);

// Approximations of a few instructions: CUDA's __sinf, __expf, __fdividef and so on (CUDA C++
// Programming Guide, "Intrinsic Functions"). On the host they are as accurate as the others.
fn fast_sin(x: f32) -> f32 = fast { sin(x) };
fn fast_cos(x: f32) -> f32 = fast { cos(x) };
fn fast_tan(x: f32) -> f32 = fast { tan(x) };
fn fast_exp(x: f32) -> f32 = fast { exp(x) };
fn fast_exp2(x: f32) -> f32 = fast { exp2(x) };
fn fast_exp10(x: f32) -> f32 = fast { exp10(x) };
fn fast_log(x: f32) -> f32 = fast { log(x) };
fn fast_log2(x: f32) -> f32 = fast { log2(x) };
fn fast_log10(x: f32) -> f32 = fast { log10(x) };
fn fast_pow(x: f32, y: f32) -> f32 = fast { pow(x, y) };
fn fast_sqrt(x: f32) -> f32 = fast { sqrt(x) };
fn fast_rsqrt(x: f32) -> f32 = fast { rsqrt(x) };
fn fast_divide(x: f32, y: f32) -> f32 = fast { x / y };

// x * y + z, rounded once.
fn fma(x: f32, y: f32, z: f32) -> f32 = __fmaf(x, y, z);
fn fma(x: f64, y: f64, z: f64) -> f64 = __fma(x, y, z);

// x limited to [0, 1]; 0 for NaN.
fn saturate(x: f32) -> f32 = min(max(x, 0.0f32), 1.0f32);
fn saturate(x: f64) -> f64 = min(max(x, 0.0f64), 1.0f64);

fn is_nan(x: f32) -> bool = x != x;
fn is_nan(x: f64) -> bool = x != x;
fn is_inf(x: f32) -> bool = abs(x) == inf<f32>;
fn is_inf(x: f64) -> bool = abs(x) == inf<f64>;
