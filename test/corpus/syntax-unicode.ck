kernel k(α: f32, y: out f32[1]) { y[0] = α; }
