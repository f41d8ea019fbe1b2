kernel k(x: in f32[1]) { print("{:x}", x[0]); }
