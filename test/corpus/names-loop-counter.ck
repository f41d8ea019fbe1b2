kernel k(n: u32, y: inout u32[1]) {
    for (i in 0..n) y[0] += i;
    y[0] = i;
}
