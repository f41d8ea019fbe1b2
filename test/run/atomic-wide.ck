// Atomic loads, stores and exchanges of 16 bytes, and of structs and tuples, each in one access.
// RUN: %run-test %s
struct State { value: f32; tag: u32; }
struct Wide { sum: f64; tag: u16; is_last: bool; }
// A chain of blocks: each adds its part to what the one before has published in one word.
kernel chain(n: u32, x: in f32[n], y: inout f32[n], narrow: inout State[n + 1], wide: inout Wide[n + 1])
    launch(block = 1, grid = n)
{
    let i = block.id.x;
    var (s, w) = (atomic.load(narrow[i]), atomic.load(wide[i], order = acquire));
    while (i > 0 && (s.tag != 7 || w.tag != 7)) {
        s = atomic.load(narrow[i], order = relaxed, scope = device);
        w = atomic.load(wide[i], order = acquire);
    }
    y[i] = s.value + f32(w.sum);
    atomic.store(narrow[i + 1], State(s.value + x[i], 7));
    atomic.store(wide[i + 1], Wide(w.sum + f64(x[i]), 7, i == n - 1), order = release);
}
// CALL: chain(x=ones:50, narrow=zeros:51, wide=zeros:51, y=zeros:50)
// EXPECT: y = 2 * arange(50)
kernel parts(v: inout u64x2[2], t: inout u32[4], f: inout f32x4[1]) launch(block = 1, grid = 1)
{
    shared s: State[3];
    shared p: i16x8;
    atomic.store(s[1], State(2.5, 9), scope = block);
    atomic.store(p, i16x8(4), scope = block);
    let old = atomic.exchange(s[1], State(1.5, 3), scope = block);
    let now = atomic.load(s[1], scope = block);
    (t[0], t[1], t[2], t[3]) = (old.tag, u32(old.value * 2), now.tag, u32(atomic.load(p, scope = block)[5]));
    atomic.store(v[1], atomic.load(v[0]) + 1);
    atomic.store(f[0], atomic.load(f[0]) * 2, order = seq_cst, scope = system);
}
// CALL: parts(v=[[1, 2], [0, 0]], t=zeros:4, f=[[1, 2, 3, 4]])
// EXPECT: v = [[1, 2], [2, 3]]
// EXPECT: t = [9, 5, 3, 4]
// EXPECT: f = [[2, 4, 6, 8]]
