kernel k(n: u32, x: inout u32[1]) { shared t: range<i32>[4]; shared u: f32[4]; t[1] = 0..5; u[0] = 1.0; for (i in t[1]) x[0] += 1; }
