kernel k(n: u32, y: out u32[1]) { if (n & 1 == 0) y[0] = 1; }
