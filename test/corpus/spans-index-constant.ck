kernel k(y: out f32[1]) { var v: f32[4]; v[4] = 1; y[0] = v[0]; }
