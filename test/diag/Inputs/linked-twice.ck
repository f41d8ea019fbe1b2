import fn same(x: f32) -> f32;
export fn same(x: i32) -> i32 { return x; }
