kernel k(y: out f32[1]) launch(block = 2048) { y[0] = 1; }
