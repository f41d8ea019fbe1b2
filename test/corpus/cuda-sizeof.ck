kernel k(y: out u64[1]) { y[0] = sizeof(float); }
