fn f(x: f32) { return x; }
