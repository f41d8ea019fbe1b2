import fn elsewhere(x: f32) -> f32;
export fn helper(x: f32) -> f32 { return elsewhere(x) + 1; }
