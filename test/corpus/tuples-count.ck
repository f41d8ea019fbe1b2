fn pair() -> (f32, f32) { return (1, 2); }
kernel k(y: out f32[1]) { let (a, b, c) = pair(); y[0] = a; }
