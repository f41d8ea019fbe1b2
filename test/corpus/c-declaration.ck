kernel k(y: out f32[1]) { unsigned long long n = 1; short s; y[0] = f32(n); }
