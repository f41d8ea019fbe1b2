kernel k(x: in f64[1], y: out f32[1]) { y[0] = x[0]; }
