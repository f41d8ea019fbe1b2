kernel k(n: i32, y: inout f32[1]) {
    for (int i = n - 1; i >= 0; --i) y[0] += f32(i);
}
