// What manifest_random.c launches: each form of kernel and parameter that a host object has.
struct Pair { a: f32; at: (i32, u8); }
kernel plain(n: u64, a: f32, x: in f32[n], y: out f32[n]) launch(block = 64, grid = ceil_div(n, 64)) {
    let i = grid.thread_rank;
    if (i < n) y[i] = a * x[i];
}

kernel turn(n: u64, x: in f32[n], y: out f32[n]) launch(block = 64, grid = ceil_div(n, 64)) {
    shared s: f32[64];
    let i = grid.thread_rank;
    if (i < n) s[thread.x] = x[i];
    block.sync();
    if (i < n) y[i] = 2 * s[thread.x];
}

kernel carried(x: in f32[], y: out f32[x.len]) launch(block = (16, 4), grid = 1) {
    for (i in block.stride(x.len)) y[i] = x[i] + x[i];
}

kernel dynamic(n: u32, x: in f32[n], y: out f32[n]) launch(block = 128, grid = 1) {
    shared s: f32[dyn n];
    if (thread.x < n) s[thread.x] = x[thread.x];
    block.sync();
    if (thread.x < n) y[thread.x] = s[thread.x] + x[thread.x];
}

kernel record(n: u64, p: Pair, x: in f32x2[n], y: out f32x2[n]) launch(block = 32, grid = 2) {
    let i = grid.thread_rank;
    if (i < n) y[i] = x[i] * p.a;
}

kernel together(n: u64, x: in f32[n], y: inout f32[n]) launch(block = 64, grid = 2) {
    scratch s: f32[n];
    let i = grid.thread_rank;
    if (i < n) s[i] = x[i];
    grid.sync();
    if (i < n) y[i] = s[n - 1 - i] * 0 + 2 * x[i];
}

algorithm total(n: u64, x: in f32[n]) -> (f32, u64) = (reduce(x.map(|v| v), +, 0.0), n);
