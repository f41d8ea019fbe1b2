const N = 0;
kernel k(n: u32, y: out u32[1]) { y[0] = n / N; }
