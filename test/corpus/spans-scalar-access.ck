kernel k(n: in u32, y: out f32[1]) { y[0] = f32(n); }
