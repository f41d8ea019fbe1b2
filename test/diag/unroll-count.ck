// An unrolled loop has so many rounds; those of loops around it in the function are counted, too.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn n_less_n() -> u32 = 2 - 2;
kernel k(n: u32, y: inout f32[1]) {
    unroll for (i in 0..4096) y[0] += 1.0;
    unroll for (i in 0..4097) y[0] += 1.0;
    unroll for (i in (5000..0).step(-1)) y[0] += 1.0;
    unroll for (i in 0..100) { unroll for (j in 0..100) y[0] += 1.0; }
    unroll(10000) for (i in 0..n) y[0] += 1.0;
    unroll for (i in 0..n) y[0] += 1.0;
    for (i in 0..9999) y[0] += 1.0;
    unroll(n_less_n()) for (i in 0..n) y[0] += 1.0;
}
// CHECK:      6:17: error: 4097 rounds are unrolled, it can be 1 to 4096 [unroll_count]
// CHECK:      hint: Write unroll(8) for ... to repeat the body 8 times.
// CHECK:      7:17: error: 5000 rounds are unrolled
// CHECK:      8:44: error: 100 rounds in each of 100 are unrolled
// CHECK:      9:24: error: 10000 rounds are unrolled
// CHECK:      12:29: error: 0 rounds are unrolled
// CHECK-NOT:  error:
