fn swap(a: f32, b: f32) -> f32 = b;
kernel k(y: inout f32[2]) { y[0] = swap(&y[0], &y[1]); }
