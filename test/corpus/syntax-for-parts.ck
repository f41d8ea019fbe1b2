kernel k(n: u32, y: inout f32[1]) { for (i = 0; i < n; i++) y[0] += 1; }
