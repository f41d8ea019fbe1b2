kernel k(y: out f32[1]) { __syncwarp(); y[0] = f32(warpSize); }
