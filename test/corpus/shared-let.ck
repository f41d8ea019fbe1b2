kernel k(y: out f32[1]) { shared let tile = 1; y[0] = 1; }
