kernel k(n: u32, y: inout f32[1]) { for (i in 0...n) y[0] += 1; }
