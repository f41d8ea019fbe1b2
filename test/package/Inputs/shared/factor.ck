const FACTOR: f32 = 2;
