kernel k(n: u32, x: in f32[n], y: out f32[n]) {
    let v = tl.load(x + grid.thread_rank);
    y[0] = v;
}
