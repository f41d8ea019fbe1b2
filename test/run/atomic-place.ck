// Atomics and hints take fields, components, and what pointers point at.
// RUN: %run-test %s
struct Bin { count: u32; sum: f32; edge: i32[2]; }
fn bump(p: ptr<u32>, by: u32) -> u32 = atomic.add(p[1], by);
kernel k(v: inout f32x4[4], n: inout u32[4], y: out f32[4], w: inout u8x16[2]) launch(block = 32, grid = 1)
{
    shared bins: Bin[2];
    if (thread.x < 2) bins[thread.x] = Bin(0, 0, [0, 0]);
    block.sync();
    let own = address(bins[thread.x % 2]);
    atomic.add(own[0].count, 1);
    atomic.add(bins[thread.x % 2].sum, 0.5);
    atomic.max(bins[0].edge[1], i32(thread.x));
    atomic.add(v[0].y, 1);
    atomic.add(v[1][thread.x % 2], 1);
    bump(address(n[0]), 2);
    let count = address(own[0].count);
    block.sync();
    atomic.add(count[0], 100);
    block.sync();
    if (thread.x > 0) return;
    y[0] = f32(bins[0].count);
    y[1] = bins[1].sum;
    y[2] = f32(bins[0].edge[1]);
    let p = address(v[0]);
    store(p[3], load(p[2], cache = streaming), cache = through);
    store(v[2], load(v[1], cache = volatile), cache = volatile);
    store(w[1], load(w[0], cache = last), cache = no_allocate);
    y[3] = load(v[3].w, cache = global);
}
// CALL: k(v=iota:4, n=zeros:4, y=zeros:4, w=rand:2)
// EXPECT: y = [1616, 8, 31, 11]
// EXPECT: n = [0, 64, 0, 0]
// EXPECT: v = [[0, 33, 2, 3], [20, 21, 6, 7], [20, 21, 6, 7], [8, 9, 10, 11]]
// EXPECT: w = [w[0], w[0]]
