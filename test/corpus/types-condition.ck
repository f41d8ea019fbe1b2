kernel k(n: u32, y: out f32[1]) { while (n) y[0] = 1; }
