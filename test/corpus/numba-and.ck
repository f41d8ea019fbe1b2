kernel k(n: u32, y: out f32[1]) { if (n > 1 and n < 5 or not (n == 3)) y[0] = 1; }
