// f16(x, round = up) rounds towards plus infinity, 'down' towards minus infinity, at run time and of a
// constant. So do constants below zero.
// -0.3 lies between the f16 -0.300048828125 and -0.2998046875, and the bf16 -0.30078125 and -0.298828125;
// -2049 between the f16 -2050 and -2048.
// RUN: %run-test %s
const UP = f16(-0.3, round = up);
const DOWN = bf16(-0.3f64, round = down);

kernel rounded(x: in f64[1], y: out f64[8]) launch(block = 1, grid = 1)
{
    y[0] = f64(f16(x[0], round = up));
    y[1] = f64(UP);
    y[2] = f64(f16(x[0], round = down));
    y[3] = f64(f16(-0.3, round = down));
    y[4] = f64(bf16(x[0], round = down));
    y[5] = f64(DOWN);
    y[6] = f64(bf16(-0.3, round = up));
    y[7] = f64(f16(-2049i32, round = up));
}
// CALL: rounded(x=[-0.3])
// EXPECT: y = [-0.2998046875, -0.2998046875, -0.300048828125, -0.300048828125, -0.30078125, -0.30078125, -0.298828125, -2048]
// TOLERANCE: exact
