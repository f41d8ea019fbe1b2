// Lambdas: typed or not, captured values are those of the moment, lambdas that make lambdas.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: captures(a=2, x=[1, 2, 3])
// EXPECT: y = [6, 7, 8, 5, 12, 0.25]
fn apply<F: fn>(f: F, x: f32) -> f32 { return f(x); }
kernel captures(a: f32, x: in f32[3], y: out f32[6]) launch(block = 1, grid = 1)
{
    var k = 4.0;
    let add = |v| v * a + k;            // v takes the type of each argument
    k = 100;                            // after the copy was made
    y[0] = add(x[0]);
    y[1] = apply(|v: f32| v + x[1] + x[2] + a, 0);
    let minus = |p| |q| p - q;
    y[2] = f32(minus(10)(2));
    let same = |v| v;
    y[3] = f32(same(i8(3))) + f32(same(2u64));
    y[4] = apply(|v| apply(|w| w * v + a, v), x[2]) + 1;
    let half = || 0.5;
    y[5] = half() * half();
}

// CALL: reads_shared(x=iota:64, y=zeros:64)
// EXPECT: y = x[::-1] * 2
kernel reads_shared(x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1)
{
    shared tile: f32[64];
    tile[thread.rank] = x[thread.rank];
    block.sync();
    y[thread.rank] = apply(|v| tile[63 - u32(v)] * 2, f32(thread.rank));
}
