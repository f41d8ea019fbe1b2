kernel k(y: out f32[1]) { let v = None; y[0] = 1; }
