fn f(x: f32) -> i32 { return x; }
