kernel k(y: out bool[1]) { y[0] = True; }
