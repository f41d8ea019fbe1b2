const TILE: u32 = 8;
fn half(x: f32) -> f32 = 1;
