// A declaration that hides a word of an option is shown.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel rounded(x: in f64[2], y: out f32[1]) {
    let up = x[1];
    y[0] = f32(x[0] + up, round = up);
}
// CHECK: 5:35: error: 'round' takes nearest, zero, up or down [round_word]
// CHECK: 4:9: note: 'up' is declared here
// CHECK: hint: Here 'up' is what is declared, and hides the word of 'round'.
