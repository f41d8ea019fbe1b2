kernel k(y: out f32[1]) launch(block = 32) { var tile: f32[64, 64]; let f = |i| tile[i, 0]; y[0] = f(0); }
