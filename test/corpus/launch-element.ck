kernel k(x: in u32[1], y: out f32[1]) launch(block = 256, grid = x[0]) { y[0] = 1; }
