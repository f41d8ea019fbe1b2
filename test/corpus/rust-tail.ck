fn square(x: f32) -> f32 { x * x }
kernel k(y: out f32[1]) { y[0] = square(2); }
