kernel k(y: out f32[1]) launch(block = 32) { shared total: f32 = 0; y[0] = total; }
