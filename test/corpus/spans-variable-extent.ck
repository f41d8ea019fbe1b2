kernel k(n: u32, y: out f32[1]) { var v: f32[n]; y[0] = v[0]; }
