kernel k(x: in f32[2], y: out i32[1]) { y[0] = (x[0] > 0) + (x[1] > 0); }
