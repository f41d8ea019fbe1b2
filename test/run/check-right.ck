// A checked build gives what the program gives without: lambdas, shared memory, comptime if.
// REQUIRES: ckc, host
// RUN: %run-test %s
fn apply<F: fn>(f: F, i: u32) -> f32 { return f(i); }
fn total(x: in f32[]) -> f32 {
    var sum = 0.0;
    for (i in 0..x.len) sum += x[i];
    return sum;
}
// CALL: k<false>(n=64, x=iota:64, y=zeros:64) -check
// EXPECT: y = x[::-1] * 2 + 2016
// CALL: k<true>(n=64, x=iota:64, y=zeros:64) -check
// EXPECT: y = x[::-1] + 2016
kernel k<const ONCE: bool = false>(n: u32, x: in f32[n], y: out f32[n])
    launch(block = 64, grid = ceil_div(n, 64))
{
    shared tile: f32[64];
    let i = thread.rank;
    let j = 63 - i;
    tile[i] = x[i];
    block.sync();
    comptime if (ONCE) y[i] = tile[j] + total(tile);
    else y[i] = apply(|v| tile[v + 0] * 2, j) + total(tile);
}
export k<true>, k<false>;
