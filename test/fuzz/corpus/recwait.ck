fn f(n: u32) { if (n > 0) { block.sync(); f(n - 1); } }
kernel k(n: u32) { f(n); }
