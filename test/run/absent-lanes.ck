// What lanes hold whose value nobody takes, and lanes that a part of a warp lacks, is no argument of the program's function.
// RUN: %run-test %s
struct Run { first: u32; last: u32; } // neighbours
fn after(wrong: inout u32[], a: Run, b: Run) -> Run {
    if (a.last + 1 != b.first) atomic.add(wrong[0], 1);
    return Run(a.first, b.last);
}
fn less(wrong: inout u32[], a: u32, b: u32) -> bool {
    if (a == b) atomic.add(wrong[0], 1);
    return a < b;
}
kernel folds<const N: u32>(wrong: inout u32[1], y: out u32[4, N]) launch(block = N, grid = 1)
{
    let v = Run(thread.rank, thread.rank);
    let f = |a: Run, b: Run| after(wrong, a, b);
    y[0, thread.rank] = block.reduce(v, f).last;
    y[1, thread.rank] = block.reduce<raking>(v, f).last;
    y[2, thread.rank] = block.inclusive_scan<warp_scans>(v, f).first + block.inclusive_scan<warp_scans>(v, f).last;
    y[3, thread.rank] = block.inclusive_scan<raking>(v, f).last;
}
// CALL: folds<64>(wrong=[0])
// EXPECT: wrong = [0]
// EXPECT: y = where(arange(256) < 128, 63, arange(256) % 64).reshape(4, 64)
// CALL: folds<320>(wrong=[0]) -check
// EXPECT: wrong = [0]
kernel sorts(wrong: inout u32[1], y: out u32[3, 40]) launch(block = 40, grid = 1)
{
    let v = 39 - thread.rank;
    y[0, thread.rank] = block.bitonic_sort(v, |a, b| less(wrong, a, b));
    y[1, thread.rank] = warp.bitonic_sort(v, |a, b| less(wrong, a, b));
    y[2, thread.rank] = warp.tile<16>.bitonic_sort(v, |a, b| less(wrong, a, b));
}
// CALL: sorts(wrong=[0]) -check
// EXPECT: wrong = [0]
algorithm grid_fold(n: u32, wrong: inout u32[1]) -> Run =
    grid.reduce(count<u32>(1).map(|i| Run(i, i)).take(u64(n)), |a, b| after(wrong, a, b), Run(0, 0));
// FOR: n in 0, 1, 500, 20000
// CALL: grid_fold(n=n, wrong=[0]) --grid=3
// EXPECT: wrong = [0]
