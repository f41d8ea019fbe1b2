kernel k(x: in f32[1], y: out f32[1]) { y[0] = math.sqrt(x[0]); }
