kernel k(x: in f32[1], y: out f32[1]) {
    let f = [](float v) { return v * v; };
    y[0] = f(x[0]);
}
