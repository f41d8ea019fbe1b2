kernel k(y: out f32[1]) { let f = |a, b| a + b; y[0] = f(1.0); }
