kernel k(n: u32, y: out f32[n]) { let i: usize = 0; y[i] = 1; }
