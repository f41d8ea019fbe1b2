kernel k(count: u32, y: out u32[1]) { let total = count * 2; y[0] = totl; }
