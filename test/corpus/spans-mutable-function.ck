fn fill(x: out f32[]) { x[0] = 1; }
kernel k(x: in f32[4]) { fill(x); }
