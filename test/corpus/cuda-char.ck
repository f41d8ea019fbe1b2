kernel k(y: out u8[1]) { y[0] = 'a'; }
