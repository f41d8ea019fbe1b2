kernel k(y: out f32[1]) launch(256, 4) { y[0] = 1; }
