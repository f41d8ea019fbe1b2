kernel k(x: in f32[3], y: out f32[1]) { y[0] = max(x[0], x[1], x[2]); }
