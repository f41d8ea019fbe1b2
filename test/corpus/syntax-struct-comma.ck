struct P { x: f32, y: f32 }
kernel k(n: u32, y: out f32[n]) { let p = P(1, 2); y[0] = p.x; }
