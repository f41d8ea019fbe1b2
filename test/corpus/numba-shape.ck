kernel k(x: in f32[], y: out u64[1]) { y[0] = x.shape; }
