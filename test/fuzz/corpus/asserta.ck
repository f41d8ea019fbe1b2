kernel k(n: u32) { assert(c = n == 1); print("{}", x = 1); let r = 0..n; for (i in r.step(k = 2)) {} }
