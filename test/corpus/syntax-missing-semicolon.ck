kernel k(n: u32, y: out f32[n]) {
    let i = thread.x
    y[i] = 1;
}
