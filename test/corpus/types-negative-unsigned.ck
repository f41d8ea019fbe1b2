kernel k(y: out u32[1]) { y[0] = -1; }
