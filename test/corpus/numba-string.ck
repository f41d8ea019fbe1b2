kernel k(y: out f32[1]) { print('done'); y[0] = 1; }
