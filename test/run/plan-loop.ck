// RUN: %run-test %s
// Loops around launches: the host repeats the steps in them together, and nested ones for each
// number of the outer loop. Scratch memory in a loop is the same in each round.

fn add(x: in u32[], y: out u32[], k: u32) {
    let i = grid.thread_rank;
    if (i < x.len) y[i] = x[i] * 3 + k;
}

fn swap(x: in u32[], y: out u32[]) {
    let i = grid.thread_rank;
    if (i < x.len) y[i] = x[x.len - 1 - i];
}

algorithm twist(x: inout u32[], k: u32) {
    scratch other: u32[x.len];
    launch add(block = 64, grid = max(1, ceil_div(x.len, 64)), x, other, k);
    launch swap(block = 128, grid = max(1, ceil_div(x.len, 128)), other, x);
}

algorithm rounds(n: u64, m: u32, x: inout u32[n]) {
    for (i in 0..m) {
        twist(x, i);
        for (j in i..m) { twist(x, 10 * i + j); }
    }
    twist(x, 77);
}
// CALL: rounds(n=1, m=2, x=[0])
// EXPECT: x = [146]
// CALL: rounds(n=5, m=2, x=[0, 1, 2, 3, 4])
// EXPECT: x = [146, 875, 1604, 2333, 3062]
// FOR: n in 0, 1, 300
// CALL: rounds(m=0, x=rand:n)
// EXPECT: x = x[::-1] * 3 + 77
