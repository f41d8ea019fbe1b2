// A literal that is too small for its type is 0, whatever says the type: its place, a suffix, or no type at all.
// RUN: %ckc %s --target=host -o %t 2>&1 | FileCheck %s --implicit-check-not=warning:
kernel k(y: out f64[1], x: out f32[1], h: out f16[1], b: out bf16[1]) {
    y[0] = 1e-400;
    y[0] = -1e-400;
    y[0] = 1e-400f64;
    x[0] = 1e-400;
    x[0] = 1e-50;
    x[0] = 1e-50f32;
    h[0] = 0.00000001;
    b[0] = 1e-41;
    y[0] = 0e-400 + 0.00 + 4.9e-324;
    y[0] = 1.0-1.0;
    x[0] = 1.4e-45;
}
// CHECK: 4:12: warning: 1e-400 is 0 as an 'f64' [literal_zero]
// CHECK: hint: The smallest above 0 is 4.9e-324.
// CHECK: 5:12: warning: -1e-400 is 0 as an 'f64'
// CHECK: 6:12: warning: 1e-400f64 is 0 as an 'f64'
// CHECK: 7:12: warning: 1e-400 is 0 as an 'f32'
// CHECK: hint: The smallest above 0 is 1.4e-45.
// CHECK: 8:12: warning: 1e-50 is 0 as an 'f32'
// CHECK: hint: The smallest above 0 is 1.4e-45; 1e-50f64 is an f64.
// CHECK: 9:12: warning: 1e-50f32 is 0 as an 'f32'
// CHECK: 10:12: warning: 0.00000001 is 0 as an 'f16'
// CHECK: hint: The smallest above 0 is 6e-8; 0.00000001f64 is an f64.
// CHECK: 11:12: warning: 1e-41 is 0 as an 'bf16'
