// A NaN that is made of a constant vector is one where it is compared.
// RUN: %run-test %s
// CALL: k(y=zeros:4)
// EXPECT: y = [1, 1, 1, 1]
fn is_number_not(x: f64) -> u32 = x != x ? 1 : 0;
fn is_number_not(x: f32) -> u32 = x != x ? 1 : 0;
kernel k(y: out u32[4]) launch(block = 1, grid = 1)
{
    y[0] = is_number_not(-bit_cast<f64>(u32x2(0, 0xFFFFFFFE)));
    y[1] = is_number_not(bit_cast<f64>(u32x2(0, 0xFFFFFFFE)));
    y[2] = is_number_not(-bit_cast<f32>(u16x2(0, 0xFFFE)));
    y[3] = is_number_not(-bit_cast<f64>(f32x2(0, bit_cast<f32>(0xFFFFFFFEu32))));
}
