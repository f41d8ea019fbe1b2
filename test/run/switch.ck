// A switch runs the case that has the value; cases don't fall through, and `break` leaves it.
// RUN: %run-test %s
enum Op: u8 { add, sub, mul = 7, none }
fn apply(op: Op, a: i32, b: i32) -> i32 {
    switch (op) {
    case Op.add: return a + b;
    case Op.sub: return a - b;
    case Op.mul: return a * b;
    case Op.none: return 0;         // and of what is no Op
    }
}
kernel operators(op: in u8[5], y: out i32[5]) launch(block = 5, grid = 1) { y[thread.x] = apply(Op(op[thread.x]), 6, 3); }
// CALL: operators(op=[0, 1, 7, 8, 200])
// EXPECT: y = [9, 3, 18, 0, 0]

fn kind(v: i64) -> i32 {
    var r = 0;
    switch (v) {
    case -1: r = 1;
    case 0, 1: case 4: r = 2; break;
    case 10..20:
        if (v == 12) break;
        { if (v > 14) { r = 4; if (v == 17) { r = 5; break; } r += 10; } else { break; } }
        for (i in 0..9) { if (i == 3) break; r += 100; }
        if (v == 18) { break; } else r += 1000;
    default: r = 9; break; r = 8;
    }
    return r;
}
const KIND = kind(19);
kernel kinds(v: in i64[12], y: out i32[13]) launch(block = 12, grid = 1)
{
    y[thread.x] = kind(v[thread.x]);
    if (thread.x == 0) y[12] = KIND;
}
// CALL: kinds(v=[-1, 0, 1, 4, 2, 10, 12, 15, 17, 18, 19, 20])
// EXPECT: y = [1, 2, 2, 2, 9, 0, 0, 1314, 5, 314, 1314, 9, 1314]
