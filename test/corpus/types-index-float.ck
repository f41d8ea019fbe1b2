kernel k(x: in f32[4], y: out f32[1]) { y[0] = x[1.5]; }
