kernel k(n: u32, y: out f32[n]) { y[0] = 1; } launch(block = 256, grid = 1)
