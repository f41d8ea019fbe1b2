fn wrong(x: f32) -> f32 = y;
