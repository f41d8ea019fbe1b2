// break and continue are for the innermost loop; return ends a function, or the thread in a kernel.
// RUN: %run-test %s
// CALL: k(y=zeros:4)
// EXPECT: y = [6, 3, 2, 0]
fn first(n: i32) -> i32 {
    for (i in 0..n) for (j in 0..n) if (i * j == 2) return i + j;
    return 0;
}
kernel k(y: inout i32[4]) launch(block = 2, grid = 1)
{
    if (thread.x == 1) return;
    for (i in 0..3) {
        for (j in 0..9) {
            if (j == 0) continue;
            if (j == 3) break;
            y[0] += 1;
        }
    }
    y[1] = first(5);
    var n = 0;
    while (true) { while (true) { break; } n++; if (n == 2) break; }
    y[2] = n;
    if (n == 2) return;
    y[3] = 1;
}
