// A declaration that hides a word of an option is shown, whichever option it is.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32, x: inout f32[2], z: inout i32[2]) {
    let relaxed = n;
    atomic.fence(order = relaxed);
    let device = n;
    atomic.add(z[0], 1, scope = device);
    let streaming = n;
    x[0] = load(x[1], cache = streaming);
    atomic.add(z[0], 1, scope = n);
}
// CHECK:      5:26: error: this is not known at compile time [not_constant]
// CHECK:      4:9: note: 'relaxed' is declared here
// CHECK:      hint: Here 'relaxed' is what is declared, and hides the word of 'order'.
// CHECK:      7:33: error: this is not known
// CHECK:      hint: Here 'device' is what is declared, and hides the word of 'scope'.
// CHECK:      9:31: error: this is not known
// CHECK:      hint: Here 'streaming' is what is declared, and hides the word of 'cache'.
// CHECK:      10:33: error: this is not known
// CHECK-NOT:  hides
