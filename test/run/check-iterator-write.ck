// A checked build knows what iterators, and structs that hold a slice, have written.
// REQUIRES: ckc, host
// RUN: %run-test %s
struct View<T: type> { v: T; }

kernel turned(y: out f32[8]) launch(block = 8, grid = 1)
{
    shared s: f32[8];
    let w = s[0..8].reverse();
    w[thread.x] = f32(thread.x);
    block.sync();
    y[thread.x] = s[thread.x];
}
// CALL: turned() -check
// EXPECT: y = 7 - arange(8)

kernel pairs(y: out u32[8]) launch(block = 8, grid = 1)
{
    shared s: u32[16];
    zip(s[0..8], s[8..16].strided(1))[thread.x] = (thread.x, 2 * thread.x);
    block.sync();
    y[thread.x] = s[thread.x] + s[8 + thread.x];
}
// CALL: pairs() -check
// EXPECT: y = 3 * arange(8)

kernel held(y: out u32[8]) launch(block = 8, grid = 1)
{
    shared s: u32[8];
    let h = View(s[0..8]);
    h.v[thread.x] = thread.x;
    block.sync();
    y[thread.x] = s[7 - thread.x];
}
// CALL: held() -check
// EXPECT: y = 7 - arange(8)
