kernel k(x: in f32[4], y: inout f32[4], z: out f32[4]) { var s = x; s[0] = 1.0; let t = y; t[0] = 1.0; var u = y; let v = z; v[0] += 1.0; (z[0], z[1]) = (1.0, 2.0); }
