kernel k(n: u32, m: i32, y: inout f32[1]) { for (i in m..n) y[0] += 1; }
