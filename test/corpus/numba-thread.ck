kernel k(n: u32, y: out f32[n]) { let i = cuda.grid(1); y[i] = 1; }
