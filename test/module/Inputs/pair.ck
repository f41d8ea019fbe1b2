struct Pair { x: f32; y: f32; fn sum -> f32 = self.x + self.y; }
fn +(a: Pair, b: Pair) -> Pair = Pair(a.x + b.x, a.y + b.y);
fn swapped(a: Pair) -> Pair = Pair(a.y, a.x);
