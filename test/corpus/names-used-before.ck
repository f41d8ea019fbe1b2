kernel k(y: out f32[1]) {
    y[0] = scale;
    let scale = 2.0;
}
