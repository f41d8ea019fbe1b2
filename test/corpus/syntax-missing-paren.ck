kernel k(n: u32, y: out f32[n]) {
    if (thread.x < n y[thread.x] = 1;
}
