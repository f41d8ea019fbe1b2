kernel k(x: in f32[1], y: out f32[1]) { y[0] = clamp(x[0], 0, lo = 1, hi = 2); }
