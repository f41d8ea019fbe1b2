// Where a literal alone is the mistake, in each function of the name that takes the rest, the literal is reported.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(v: u8) -> u32 = 1;
fn f(v: u16) -> u32 = 2;
fn g(v: u8) -> u32 = 1;
fn g(v: u8, w: u8) -> u32 = 2;
kernel k(x: in u8[4], z: in i32[4], y: out u64[1]) {
    y[0] = lower_bound(x, 300);
    y[0] = upper_bound(x, -1);
    y[0] = lower_bound(z, 1.5, |a, b| a < b);
    y[0] = lower_bound(x.map(|v| v), 1.5);
    y[0] = g(256);
    y[0] = g(256, 257);
    y[0] = f(70000);
}
// CHECK:     8:27: error: 300 does not fit in 'u8' [constant_range]
// CHECK:     9:27: error: -1 does not fit in 'u8'
// CHECK:     10:27: error: 1.5 does not fit in 'i32'
// CHECK:     hint: An 'i32' has no fraction.
// CHECK:     11:38: error: 1.5 does not fit in 'u8'
// CHECK:     hint: A 'u8' has no fraction.
// CHECK:     12:14: error: 256 does not fit in 'u8'
// CHECK:     13:14: error: 256 does not fit in 'u8'
// CHECK-NOT: error:
// CHECK:     14:12: error: no 'f' takes (an integer) [no_overload]
