kernel k(y: out f32[1]) { y[0] = 1; }
fn main() { k<<<1, 256>>>(0); }
