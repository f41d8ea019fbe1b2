// Conversions that name a rounding: a word, and something to round.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: in f32[8], k: u32)
{
    let a = i32(x[0], round = 7);
    let b = i64(i32(k), round = up);
    let c = f32(x[0], mode = up);
}
// CHECK: error: 'round' takes nearest, zero, up or down [round_word]
// CHECK: error: 'i32' to 'i64' has nothing to round [round_none]
// CHECK: error: 'up' is not declared
