fn first<T: type, const N: u32>(v: T[N]) -> T = v[0];
kernel k(y: out f32[1]) { var v: f32[4]; y[0] = first<f32, 4, 8>(v); }
