fn half(x: f32) -> f32 = x * 0.5;
fn half(x: f64) -> f64 = x * 0.5;
fn _p(x: f32) -> f32 = 77;
