fn f(x: f32) -> f32 = x;
export f;
