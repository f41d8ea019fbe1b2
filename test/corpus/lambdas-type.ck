kernel k(n: u32, y: out f32[1]) { let f = |a: f32| a * 2; y[0] = f(n); }
