// What docs/language.md says for `float x = 1.0f;` and so on compiles: the right side of its last table.
// RUN: %ckc %s --target=sm_90 --stop-after=uniform
kernel f(n: u64, x: in f32[n], y: out f32[n]) { y[0] = g(x[0]); }
fn g(x: f32) -> f32 = x;
fn w<T: type, const N: i32>(v: T, l: u32, p: bool) -> T {
    let (a, d) = (warp.shuffle_down(v, 1), warp.ballot(p));
    let b = warp.tile<8>.shuffle(v, l);
    let t = warp.tile<8>;
    let c = (t.rank, t.index, warp.sum(v), t.sum(v), t.reduce(v, +), t.inclusive_scan(v, max));
    warp.sync();
    let e = warp.active_mask();
    comptime if (N > 1) return a; else return b; }
kernel k(n: u32, i: u32, p: bool, v: f32, x: inout f32[64], h: inout u32[4]) launch(block = 64, grid = 2, cluster = 2)
{
    shared t: f32[32, 33];
    shared s: f32[64];
    static_assert(sizeof<f32> == 4, "why");
    let id = thread.x + block.id.x * block.dim.x + grid.dim.x + u32(grid.thread_rank);
    t[i, 1] = f32(n) + w<f32, 2>(v, i, p);
    cluster.sync(); block.sync(); grid.sync(); grid.wait_dependencies(); grid.launch_dependents();
    let other = cluster.map(s, 1)[cluster.rank % cluster.size];
    var a = 1.0;
    for (j in 0..n) a += 1;
    for (j in (i..n).step(256)) a += f32(i32(a, round = down));
    let bits = bit_cast<u32>(a);
    let q = x.load<4>(4 * i) + f32x4(1, 2, 3, 4);
    let cub = block.reduce(a, +) + f32(block.count(block.any(p))) + f32(block.radix_sort([i])[0]) + block.exclusive_scan(a, +) + block.load<transpose>(x, 0, 1)[0];
    let pointer = address(x[i]);
    if (pointer != ptr<f32>(0)) pointer[0] = 1;
    let m = |v| v * a;
    atomic.add(x[i], fast_exp(m(other)) + fast_divide(a, q.x));
    atomic.fence(); x[i] = load(x[i], cache = streaming);
    h[0] = asm<u32>("add.u32 $0, $1, $2;", id, bits);
    unroll for (j in 0..4) print("{}", j);
}
kernel d(n: u32, x: in f32[n]) {
    shared s: f32[dyn n];
    memcpy_async<4>(s[0], x[0]); pipeline.commit(); pipeline.wait(prior = 1);
    block.memcpy_async(s, x, 0, 4); pipeline.wait(); block.sync();
}
