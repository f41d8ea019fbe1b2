kernel k(y: out f32[1]) launch(block = 32) { shared tile: f32[4, 4]; let f = |i| tile[i, 0]; y[0] = f(0); }
