kernel k(n: u32, x: in f32[n], y: out f32[n]) {
    let i = grid.thread_rnk;
    if (i < n) {
        y[i] = x[i] * scale;
        y[i] += 1;
    }
    x[0] = n;
}
