// Of two types, the hint keeps what the program computes: nothing is cut off unsaid.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32, v: in f32[n], z: inout i32[n], w: in i64[n], y: out f32[n]) {
    var s = 0;
    s += v[0];
    s = s * 0.5;
    var t = [0, 0];
    t[1] += v[0];
    y[0] = z[0] * 0.5;
    z[0] = v[0];
    z[1] = 0.5;
    let q = n + w[0];
    let r = n + z[0];
    if (0 < v[0] < 5) z[0] = 1;
    atomic.add(z[0], f32x2(1));
}
// CHECK:      5:10: error: cannot convert 'f32' to 'i32'
// CHECK:      4:9: note: 's' is declared here
// CHECK:      hint: Write var s = 0.0 to have an f32.
// CHECK-NEXT: 6:13: error: 0.5 does not fit in 'i32'
// CHECK:      hint: Write var s = 0.0 to have an f32.
// CHECK-NEXT: 8:13: error: cannot convert 'f32' to 'i32'
// CHECK:      hint: Where 't' is declared, 0 is an i32, 0.0 an f32.
// CHECK-NEXT: 9:19: error: 0.5 does not fit in 'i32'
// CHECK:      hint: Write f32(z[0]) to calculate with floats.
// CHECK-NEXT: 10:12: error: cannot convert 'f32' to 'i32'
// CHECK:      hint: i32(v[0]) converts it, and drops the fraction.
// CHECK:      hint: An 'i32' has no fraction.
// CHECK:      hint: Write i64(n) to convert it.
// CHECK:      hint: Convert one side: u32(z[0]) or i32(n).
// CHECK:      14:9: error: '<' does not take 'bool'
// CHECK:      hint: Two comparisons are joined by &&: 0 < v[0] && v[0] < 5.
// CHECK:      15:22: error: cannot convert 'f32x2' to 'i32'
// CHECK-NOT:  hint:
