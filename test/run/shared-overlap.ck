// Shared bytes that are used again hold what was written last, in blocks, calls, loops, conditions.
// RUN: %run-test %s
fn turn(x: f32) -> f32 {
    shared t: f32[64];
    t[thread.x] = x;
    block.sync();
    return t[63 - thread.x];
}
fn first(x: f32) = turn(x) + turn(2 * x);
fn sum(x: f32) -> f32 {
    shared part: f32[64];
    part[thread.x] = x;
    block.sync();
    var s = 0.0;
    for (i in 0..64) s += part[i];
    return turn(s) + s;
}
kernel k(n: u32, x: in f32[64], y: out f32[5, 64]) launch(block = 64, grid = 1)
{
    let v = x[thread.x];
    y[0, thread.x] = turn(v) - turn(turn(v));
    y[1, thread.x] = first(v);
    var w = v;
    var i = 0u32;
    while (i < n) { w = turn(w) + 1; i++; }
    y[2, thread.x] = w;
    y[3, thread.x] = sum(v);
    for (j in 0..n) {
        shared a: f32[64];
        a[(thread.x + 1) % 64] = w;
        block.sync();
        w = a[thread.x];
    }
    if (thread.x < 32) { shared b: f32[64]; b[thread.x] = 1; w += b[thread.x]; }
    y[4, thread.x] = w;
}
// CALL: k(n=3, x=iota:64, y=zeros:5x64)
// EXPECT: y = [x[::-1] - x, 3 * x[::-1], x[::-1] + 3, [2 * x.sum()] * 64, np.concatenate([x[2::-1], x[:2:-1]]) + 3 + (np.arange(64) < 32)]
