fn f(x: f32) -> f32 { let y = (x = 1); return y; }
