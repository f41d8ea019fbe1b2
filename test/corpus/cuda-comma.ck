kernel k(n: u32, y: inout f32[n]) {
    var i = 0, j = 1;
    y[0] = f32(i);
}
