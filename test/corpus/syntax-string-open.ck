kernel k(n: u32) { print("n = {}, n); }
