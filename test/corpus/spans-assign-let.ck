kernel k(n: u32, y: out f32[1]) { let s = 0.0; s += 1.0; n = 2; y[0] = s; }
