kernel k(n: u32, y: out i32[1]) { let i = -1; y[0] = i + n; }
