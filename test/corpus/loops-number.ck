kernel k(n: u32, y: inout f32[1]) { for (i in n) y[0] += 1; }
