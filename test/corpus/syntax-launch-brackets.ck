kernel k(y: out f32[1]) launch[block = 256] { y[0] = 1; }
