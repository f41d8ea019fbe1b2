kernel k(y: out f32[1]) { var s: f23 = 0; y[0] = s; }
