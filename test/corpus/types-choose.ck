kernel k(n: u32, y: out f32[1]) { let v = n > 1 ? n : 1.5; y[0] = 1; }
