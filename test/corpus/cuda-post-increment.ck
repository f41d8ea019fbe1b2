kernel k(n: u32, y: out f32[n]) {
    var i = 0;
    y[i++] = 1;
}
