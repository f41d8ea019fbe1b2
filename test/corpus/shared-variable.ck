kernel k(n: u32, y: out f32[1]) { shared tile: f32[n]; y[0] = tile[0]; }
