kernel k(n: u32, x: in f32[dyn n]) { shared b: f32[dyn n]; }
