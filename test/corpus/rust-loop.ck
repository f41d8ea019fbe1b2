kernel k(y: inout f32[1]) { loop { y[0] += 1; } }
