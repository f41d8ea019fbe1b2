kernel k(n: u32, x: in f32[n], y: out f32[n]) {
    if (n > 0) { let first = x[0]; }
    y[0] = first;
}
