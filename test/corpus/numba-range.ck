kernel k(n: u32, x: in f32[n], y: inout f32[1]) {
    for i in range(n):
        y[0] += x[i];
}
