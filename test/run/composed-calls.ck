// Primitives in functions that functions call, for several types, numbers of items and operators, twice
// in one expression, and behind a condition that is the same in the block.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: calls(turn=0, x=iota:160, y=zeros:4)
// EXPECT: y = [159, 25440, 318, 12720]
// CALL: calls(turn=1, x=iota:160, y=zeros:4) -check
// EXPECT: y = [159, 25440, 318, -159]
fn spread<T: number, const N: u32>(v: T[N]) -> T = block.reduce(v, max) - block.reduce(v, min);
fn total<T: number, const N: u32>(v: T[N]) -> T = folded(v, +);
fn folded<T: number, const N: u32, F: fn>(v: T[N], f: F) -> T {
    let (scan, all) = block.inclusive_scan_total(v, f);
    return block.uniform(block.shuffle(scan[N - 1], block.size - 1) + all) - all;
}
fn doubled<const N: u32>(v: f32[N]) -> f64[N] {
    var r: f64[N];
    unroll for (k in 0..N) r[k] = 2 * f64(v[k]);
    return r;
}
fn either<const N: u32>(v: f32[N], turn: u32) -> f32 {
    if (turn == 1) return spread(v) - 2 * folded(v, max);
    return total(v);
}
kernel calls(turn: u32, x: in f32[160], y: out f64[4]) launch(block = 80, grid = 1)
{
    let v = block.load(x, 0, 2);
    let results = [f64(spread(v)), total(doubled(v)), spread(doubled(v)), f64(either(v, turn))];
    block.store(y, 0, results, valid = 4);
}
