// SET finds the structs of a constant's type, behind other names too; THEN has the constants, and -D its own; errors name them.
// RUN: %ckc test --device=host %s | FileCheck %s
// CHECK: 6 passed, 0 failed
struct In { a: u8; b: f32; }
struct Rule { from: u8; to: In; v: f32x2 = f32x2(1, 2); }
type Other = Rule;
const Q: Other[2, 2] = [[Rule(1, In(2, 3.5)), Rule(4, In(5, 6.5))], [Rule(1, In(2, 3.5)), Rule(4, In(5, 6.5))]];
const N: u32 = 4;
kernel rules(y: out f32[2, 2], x: out f32[N]) launch(block = 1, grid = 1)
{
    for (i in 0u32..2) for (j in 0u32..2) y[i, j] = Q[i, j].to.b + Q[i, j].v.y;
    for (i in 0..N) x[i] = f32(N + i);
}
// SET: N = 2
// SET: Q = [[{from: 1, to: {a: 2, b: 3}}, {from: 4, to: {a: 5, b: 6}}], [{from: 7, to: {a: 8, b: 9}}, {from: 10, to: {a: 11, b: 12}}]]
// CALL: rules()
// EXPECT: y = Q.to.b + 2
// EXPECT: y = [[5, 8], [11, 14]]
// EXPECT: x = arange(N) + 2
// THEN: rules(x=zeros:N)
// EXPECT: x = N + arange(N)
// THEN: rules() -DN=3
// EXPECT: x = [3, 4, 5]
// SET: Q = [[(1, (2, 3), (4, 5)), (6, (7, 8), (9, 10))], [(1, (2, 3), (4, 5)), (6, (7, 8), (9, 10))]]
// CALL: rules()
// EXPECT: y = [[8, 18], [8, 18]]
// SET: N = -1
// COMPILE:
// EXPECT-ERROR: const N=-1
// SET: M = 3
// CALL: rules()
// EXPECT-ERROR: the module has no constant 'M'
// SET: Q = [[{from: 1, two: {a: 2, b: 3}}]]
// CALL: rules()
// EXPECT-ERROR: 'two'
// SET: N = rand:2
// CALL: rules()
// EXPECT-ERROR: const N=[0.
