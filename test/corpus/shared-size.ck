kernel k(y: out f32[1]) launch(block = 256) { shared tile: f32[128, 128]; y[0] = tile[0, 0]; }
