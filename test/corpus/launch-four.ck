kernel k(y: out f32[1]) launch(block = (8, 8, 8, 8)) { y[0] = 1; }
