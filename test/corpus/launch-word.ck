kernel k(y: out f32[1]) launch(threads = 256, blocks = 2) { y[0] = 1; }
