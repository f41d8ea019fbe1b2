kernel k(y: out f32[1]) { tile = cuda.shared.array(256, float32); y[0] = 1; }
