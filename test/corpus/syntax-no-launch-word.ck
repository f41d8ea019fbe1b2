kernel k(y: out f32[1]) (block = 256) { y[0] = 1; }
