kernel k(x: in f32[1]) { x[0] = 1; }
