fn scale(x: f32) -> f32 = 2 * x;
kernel k(y: out f32[1]) { y[0] = scael(1); }
