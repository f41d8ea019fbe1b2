kernel k(y: out f32[1]) { let a = 1.0; let a = 2.0; y[0] = a; }
