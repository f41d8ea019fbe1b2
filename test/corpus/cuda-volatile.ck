kernel k(y: out f32[1]) { volatile int n = 1; y[0] = f32(n); }
