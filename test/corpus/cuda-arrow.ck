struct P { x: f32; }
kernel k(n: u32, p: inout P[n]) { p->x = 1; let q = address(p[1]); q->x = 2; }
