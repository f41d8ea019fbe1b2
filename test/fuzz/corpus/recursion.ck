fn g(n: u32) { f(n); }
fn f(n: u32) { if (n > 0) { block.sync(); h(n - 1); } }
fn h(n: u32) { f(n); }
kernel k(n: u32) { g(n); }
