// An array that a function takes by value is read at the same place before and after a wait in a loop.
// RUN: %run-test %s
fn at(w: u32[8], i: u32) -> u32 = w[i];
kernel k(y: out u32[2]) launch(block = 2, grid = 1)
{
    var all = 0u32;
    for (r in 0u32..2) {
        for (q in 0..3) {
            var w: u32[8];
            for (k in 0u32..8) w[k] = k * 5 + thread.x;
            all = all * 10 + at(w, r + 1);      // its address stays the same in the inner loop
            block.sync();
        }
    }
    y[thread.x] = all;
}
// CALL: k() -O3
// EXPECT: y = [556110, 667221]
