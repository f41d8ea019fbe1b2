// A constant that its written conversion can't keep is a warning: integers, fractions beyond a type, halves that become infinite.
// RUN: %ckc %s --target=host -o %t 2>&1 | FileCheck %s --implicit-check-not=warning:
kernel k(x: inout f32[16], n: u32) {
    x[0] = f32(i32(3000000000));
    x[1] = f32(u8(300));
    x[2] = f32(i8(-129));
    x[3] = f32(i32(1e10));
    x[4] = f32(u8(256.5));
    x[5] = f32(u32(-1.5));
    x[6] = f32(f16(1e6));
    x[7] = f32(f16(-70000));
    x[8] = f32(1e39);
    x[9] = f32(u32(-1)) + f32(u32(1.5)) + f32(u8(255.9)) + f32(u8(-0.5)) + f32(i8(-128.9)) + f32(f16(65504)) + f32(f16(inf));
}
// CHECK: 4:20: warning: 3000000000 does not fit in 'i32', this is -1294967296 [conversion_range]
// CHECK: 5:19: warning: 300 does not fit in 'u8', this is 44
// CHECK: 6:19: warning: -129 does not fit in 'i8', this is 127
// CHECK: 7:20: warning: 1e10 does not fit in 'i32', this is 2147483647
// CHECK: 8:19: warning: 256.5 does not fit in 'u8', this is 255
// CHECK: 9:20: warning: -1.5 does not fit in 'u32', this is 0
// CHECK: 10:20: warning: 1e6 does not fit in 'f16', this is inf
// CHECK: 11:20: warning: -70000 does not fit in 'f16', this is -inf
// CHECK: 12:16: warning: 1e39 does not fit in 'f32', this is inf
