// A checked build runs block.any, all and count, and they give what they give without -check.
// REQUIRES: ckc, host
// RUN: %run-test %s
kernel votes(x: in u32[64], y: out u32[3]) launch(block = 64, grid = 1)
{
    let some = block.any(x[thread.x] == 63);
    let each = block.all(x[thread.x] < 64);
    let low = block.count(x[thread.x] < 5);
    if (thread.x == 0) { y[0] = u32(some); y[1] = u32(each); y[2] = low; }
}
// CALL: votes(x=iota:64) -check
// EXPECT: y = [1, 1, 5]

kernel halvings(x: in u32[100], rounds: out u32[1]) launch(block = 100, grid = 1)
{
    var v = x[thread.x];
    var n = 0u32;
    while (block.any(v > 9)) {
        v = v > 9 ? v / 2 : v;
        n += 1;
    }
    if (thread.x == 0) rounds[0] = n;
}
// CALL: halvings(x=iota:100) -check
// EXPECT: rounds = 4
