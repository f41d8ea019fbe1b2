kernel k(n: u32, x: in f32[n]) { printf("x[%u] = %f\n", n, x[0]); }
