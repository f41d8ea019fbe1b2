kernel k(n: u32, y: f32[n]) { y[0] = 1; }
