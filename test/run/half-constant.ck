// Constants of f16 and bf16 are what the program would compute: literals from their text, rounded once.
// RUN: %run-test %s
// TOLERANCE: exact
// CALL: k(y=zeros:12, z=zeros:4)
// EXPECT: y = [1.5, 2, 0.0999755859375, 0.10009765625, 1.0009765625, 1.0, 65504, inf, 5.9604644775390625e-08, 0.333251953125, 0.333984375, 2048]
// EXPECT: z = [255, 65504, -3, 0]
const THIRD = 1f16 / 3;
const BRAIN: bf16 = 1bf16 / 3;
kernel k(y: out f64[12], z: out i32[4]) launch(block = 1, grid = 1)
{
    let tenth: f16 = 0.1;
    y[0] = 1.5f16;
    y[1] = 2bf16;
    y[2] = tenth;
    y[3] = 0.1bf16;
    y[4] = 1.00048828125000000000000000001f16;  // above the tie, by less than f64 tells
    y[5] = 1.00048828125f16;
    y[6] = 65519.9f16;
    y[7] = inf<f16>;
    y[8] = 0x1p-24f16;
    y[9] = THIRD;
    y[10] = BRAIN;
    y[11] = f16(2049i64);
    z[0] = i32(u8(1000f16));
    z[1] = i32(65504f16);
    z[2] = i32(-3.9bf16);
    z[3] = i32(nan<bf16>);
}
