fn apply<F: fn>(f: F) -> f32 = f(1.0);
kernel k(y: out f32[1]) { y[0] = apply(2.0); }
