# adds one
kernel k(y: inout f32[1]) { y[0] += 1; }
