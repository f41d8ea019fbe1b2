kernel k<const T: u32 = 33>(y: out f32[1]) { static_assert(T % 32 == 0, "T is whole warps"); y[0] = 1; }
