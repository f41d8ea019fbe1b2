fn fact(n: u32) = n < 2 ? 1 : n * fact(n - 1);
kernel k(y: out u32[1]) { y[0] = fact(5); }
