kernel k(x: in f32[1], y: out f32[1]) { y[0] = x[0] % 2.0; }
