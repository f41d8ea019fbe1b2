fn zero<T: number>() -> T = 0;
kernel k(y: out f32[1]) { y[0] = zero(); }
