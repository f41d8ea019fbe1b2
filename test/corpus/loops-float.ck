kernel k(y: inout f32[1]) { for (i in 0.0..1.0) y[0] += 1; }
