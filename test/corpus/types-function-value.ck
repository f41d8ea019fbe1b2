fn f(x: f32) -> f32 = x;
kernel k(y: out f32[1]) { y[0] = f; }
