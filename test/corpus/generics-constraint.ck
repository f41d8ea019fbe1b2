fn half<T: float>(x: T) -> T = x / 2;
kernel k(n: u32, y: out u32[1]) { y[0] = half(n); }
