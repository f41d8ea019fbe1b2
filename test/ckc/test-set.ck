// SET and --set give constants of the module values: numbers, lists, structs, vectors, tuples, made arrays; expressions read them.
// RUN: %ckc test --device=host %s | FileCheck %s
// CHECK: 3 passed, 0 failed
// RUN: %ckc run %s all --set 'W=[7, 8, 9]' --set 'R=[{from: 9, to: {a: 1, b: 2}}, {8, (3, 4)}]' --set N=2**2 \
// RUN:   --set=V='(3, 4)' --set 'T=(5, 6)' --set ON=true --device=host | FileCheck --check-prefix=COMMAND %s
// COMMAND: y = [7, 8, 9, 13, 4, 4, 106]
struct In { a: u8; b: f32; }
struct Rule { from: u8; to: In; }
const W: f32[3] = [1, 2, 3];
const R = [Rule(1, In(2, 3.5)), Rule(4, In(5, 6.5))];
const N: u32 = 4;
const V: f32x2 = f32x2(1, 2);
const T: (i32, f64) = (1, 2.0);
const ON: bool = false;
kernel all(y: out f32[7]) launch(block = 1, grid = 1)
{
    for (i in 0u32..3) y[i] = W[i];
    y[3] = R[1].to.b + f32(R[0].from);
    (y[4], y[5], y[6]) = (f32(N), V.y, f32(T[1]) + (ON ? 100.0 : 0.0));
}
// FOR: k in 1, 5
// SET: N = k + 1
// SET: W = [N, 2.5, -k]
// SET: R = [{from: k, to: {a: 2, b: 0.5}}, {from: 3, to: {a: 4, b: N}}]
// CALL: all()
// EXPECT: y = [k + 1, 2.5, -k, R[1].to.b + k, N, 2, 2]
// SET: V = (5, 6)
// SET: T = (7, 8)
// SET: ON = true
// SET: W = rand:3:1
// CALL: all()
// EXPECT: y = [W[0], W[1], W[2], 7.5, 4, V.f1, 100 + T.f1]
