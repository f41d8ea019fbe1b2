fn axpy(a: f32, x: f32, y: f32) -> f32 = a * x + y;
kernel k(y: out f32[1]) { y[0] = axpy(1, 2); }
