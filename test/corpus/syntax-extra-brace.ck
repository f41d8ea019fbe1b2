kernel k(y: out f32[1]) { y[0] = 1; } }
kernel l(y: out f32[1]) { y[0] = 1; }
