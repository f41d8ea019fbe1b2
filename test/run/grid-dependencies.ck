// In a plain launch, waiting for the launches ahead and letting others start changes nothing.
// REQUIRES: ckc
// RUN: %run-test %s
// CALL: twice(x=iota:600)
// EXPECT: x = [4 * i for i in range(600)]
fn step(more: bool) { if (more) grid.wait_dependencies(); grid.launch_dependents(); }
kernel twice(n: u32, x: inout i32[n]) launch(block = 256, grid = ceil_div(n, 256))
{
    let i = u32(grid.thread_rank);
    if (i >= n) return;
    step(i % 2 == 0);
    x[i] *= 2;
    step(true);
    x[i] *= 2;
}
