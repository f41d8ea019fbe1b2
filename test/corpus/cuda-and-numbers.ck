kernel k(n: u32, m: u32, y: out u32[1]) { if (n && m) y[0] = 1; }
