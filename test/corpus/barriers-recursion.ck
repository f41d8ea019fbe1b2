fn f(n: u32) { block.sync(); if (n > 0) f(n - 1); }
kernel k(y: out f32[1]) { f(3); y[0] = 1; }
