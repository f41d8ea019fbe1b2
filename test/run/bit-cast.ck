// bit_cast keeps the bits, of numbers and vectors; sizeof and alignof count bytes; all fold.
// RUN: %run-test %s
// CALL: k(x=[1.5, -0.0, nan], y=zeros:9, z=zeros:3)
// EXPECT: y = [0x3fc00000, 0x80000000, 0x3e003c00, 0x3fc0, 0x7bff, 1073741824, 12, 16, 16]
// EXPECT: z = [1.5, -2.0, 2.0**-24]
const HALF = bit_cast<u16>(65504f16);
static_assert(bit_cast<f32>(0x40490fdbu32) > 3.14 && bit_cast<u64>(1f64) == 0x3ff0000000000000);
static_assert(bit_cast<i8>(200u8) == -56 && bit_cast<bf16>(0x3f80u16) == 1 && sizeof<f16> == 2);
static_assert(sizeof<f32[3, 4]> == 48 && sizeof<f32x3> == 16 && alignof<f64x4> == 32 && alignof<i16[7]> == 2);
kernel k(x: in f32[3], y: out u32[9], z: out f32[3]) launch(block = 1, grid = 1)
{
    y[0] = bit_cast<u32>(x[0]);
    y[1] = bit_cast<u32>(x[1]);
    y[2] = bit_cast<u32>(f16x2(1, f16(x[0])));
    y[3] = bit_cast<u16>(bf16(x[0]));
    y[4] = HALF;
    y[5] = bit_cast<u32x2>(2f64).y;
    y[6] = sizeof(x[0]) * 3;
    y[7] = sizeof<u8x16>;
    y[8] = alignof(f32x4(x[0]));
    z[0] = bit_cast<f32>(u32(x[0]) * 0 + 0x3fc00000);
    z[1] = bit_cast<f32x2>(bit_cast<u64>(f32x2(x[0], -2))).y;
    z[2] = bit_cast<f16>(u16(x[0]));
}
