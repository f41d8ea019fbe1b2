kernel k(y: out f32[1]) { fn f() -> f32 = 1; y[0] = f(); }
