// A shared array that a parameter of any type takes is a span of it: nothing is copied, and it can be written.
// RUN: %run-test %s
fn total<It: type>(it: It) -> u32 { var t = 0u32; for (i in 0..it.len) t += it[i]; return t; }
fn mark<M: type>(m: M) { if (thread.x < 3) m[1, thread.x] = 5 + thread.x; }
kernel summed(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared s: u32[128];
    shared m: u32[2, 3];
    block.store<striped>(s, 0, [thread.x, 1u32]);
    mark(m);
    block.sync();
    let others = total(s.reverse().take(64)) + m.column(2)[1];
    y[thread.x] = total(s) + others;
}
// CALL: summed()
// EXPECT: y = 2080 + 64 + 7
