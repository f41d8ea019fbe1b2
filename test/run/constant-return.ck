// A constant's function may call another one in the expression that it returns.
// RUN: %run-test %s
fn other(a: u32) -> u32 = ~max(a, 3);
const OTHER: u32 = other(1);
kernel k(y: out u32[2], a: u32) launch(block = 1, grid = 1) {
    y[0] = OTHER;
    y[1] = other(a);
}
// CALL: k(a=1)
// EXPECT: y=[4294967292, 4294967292]
