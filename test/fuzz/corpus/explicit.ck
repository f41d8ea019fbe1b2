fn f<T: float>(a: T) -> T = a;
kernel k(x: f64, y: inout f64[1]) { y[0] = f<f32>(x); }
