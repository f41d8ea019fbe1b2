kernel k(n: u32, y: inout f32[1]) { for (i in 0..n) { i += 2; y[0] += 1; } }
