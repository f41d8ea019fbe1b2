kernel k(n: u32, y: inout f32[1]) {
    do { y[0] += 1; } while (y[0] < 10);
    y[0] = 3;
}
