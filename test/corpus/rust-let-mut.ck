kernel k(y: out f32[1]) { let mut s = 0.0; s += 1.0; y[0] = s; }
