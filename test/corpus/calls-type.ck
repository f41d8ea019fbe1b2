fn half(n: u32) -> u32 = n / 2;
kernel k(x: in f32[1], y: out u32[1]) { y[0] = half(x[0]); }
