// Functions of three operands and of halves of products are constants too, with a kernel's bits; so is a choice of tuples.
// RUN: %run-test %s
fn fused(a: f16, b: f16, c: f16) -> f16 = fma(a, b, c);
fn turned(x: u64, n: u32) -> u64 = rotate_left(x, n) ^ funnel_right(x, ~x, n);
fn high(x: u64, y: i64) -> u64 = mul_hi(x, ~x) + u64(mul_hi(y, -7i64));
fn bytes(x: u32, y: u32) -> u32 = byte_perm(x, y, 0x9370) ^ u32(dp4a(i32(x), i32(y), -5)) ^ dp4a(x, y, 3);
fn far(x: i32) -> i32 { let (a, b) = x < 0 ? (x, 1) : (2, x); var (c, d) = (a, b); (c, d) = a > 1 ? (d, c) : (c, d); return c - 3 * d; }
fn lowest(x: f32) -> f32 = fma(x, x, -0x1.000002p0);
const A = fused(1.001, 3.001, 0.0001);
const B = turned(0x8000_0000_0000_0f01, 37);
const C = high(0xfedc_ba98_7654_3210, -0x7654_3210_fedc_ba98);
const D = bytes(0x80ff_7f01, 0x0102_f3f4);
const E = far(-9) + 100 * far(5);
const F = lowest(0x1.000002p0);
kernel k(x: in u64[2], y: out u64[3], z: out u32[3], w: out f32[2]) launch(block = 1, grid = 1)
{
    let h = f16(x[1]) / f16(x[1]);
    y[0] = B ^ turned(x[0], u32(x[1]));
    y[1] = C ^ high(0xfedc_ba98_7654_3210 + x[1] - 37, -0x7654_3210_fedc_ba98);
    y[2] = B;
    z[0] = D ^ bytes(u32(x[1]) - 37 + 0x80ff_7f01, 0x0102_f3f4);
    z[1] = u32(E - far(i32(x[1]) - 46) - 100 * far(i32(x[1]) - 32));
    z[2] = u32(bit_cast<u16>(A) ^ bit_cast<u16>(fused(1.001 * h, 3.001, 0.0001)));
    w[0] = F - lowest(0x1.000002p0 * f32(h));
    w[1] = F;
}
// CALL: k(x=[0x8000000000000f01, 37])
// EXPECT: y = [0, 0, 0x1e0480bffffff]
// EXPECT: z = [0, 0, 0]
// EXPECT: w = [0, 1.1920930376163597e-07]
// TOLERANCE: exact
