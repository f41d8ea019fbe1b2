fn get<const N: u32>() -> u32 = N;
kernel k(n: u32, y: out u32[1]) { y[0] = get<n>(); }
