fn third(x: f32) -> f32 = x / 3;
