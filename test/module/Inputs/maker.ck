import "pair.ck";
fn make(x: f32) -> Pair = Pair(x, 10 * x);
