launch(block = 256) kernel k(y: out f32[1]) { y[0] = 1; }
