kernel k(y: out f32[1]) { var s = 0.0; let f = |x| s += x; y[0] = s; }
