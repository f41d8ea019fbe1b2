fn f(a: f32) -> f32 = a;
kernel k(n: u32, x: in f32[n], y: out f32[n]) { y[0] = f(x); }
