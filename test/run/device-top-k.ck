// RUN: %run-test %s
// The greatest or least elements, sorted or in the order of the input, with values; ties go to the first.
algorithm best(n: u64, k: u64, x: in i32[n], y: out i32[k]) { top_k(x, y); }
algorithm least(n: u64, k: u64, x: in f32[n], y: out f32[k], at: out u32[k]) { top_k(x, count<u32>(), y, at, descending = false); }
algorithm wide(n: u64, k: u64, x: in u64[n], y: out u64[k]) { top_k(x.map(|v| v << 20), y); }
algorithm any(n: u64, k: u64, x: in i32[n], y: out i32[k]) { top_k(x, y, sorted = false); }
// FOR: n in 1, 100, 16384, 16385, 33001
// CALL: best(k=1, x=rand:n:1:-900..900, y=zeros:1)
// EXPECT: y = np.sort(x)[::-1][0:1]
// FOR: n in 1000, 16384, 16385, 33001
// CALL: best(k=999, x=rand:n:2:-900..900, y=zeros:999)
// EXPECT: y = np.sort(x)[::-1][0:999]
// FOR: n in 100, 16384, 16385, 33001
// CALL: least(k=70, x=rand:n:3:-90..90, y=zeros:70, at=zeros:70)
// EXPECT: y = np.sort(x)[0:70]
// EXPECT: at = np.argsort(x, kind="stable")[0:70]
// FOR: n in 100, 16385, 33001
// CALL: wide(k=70, x=rand:n:4:0..9000000000, y=zeros:70)
// EXPECT: y = np.sort(x)[::-1][0:70] * 1048576
// FOR: n in 100, 16385, 33001
// CALL: any(k=50, x=rand:n:5:-90..90, y=zeros:50)
// EXPECT: y = [v for t in [np.sort(x)[::-1][49]] for v in x[np.argsort(where(x > t, 0, where(x == t, 1, 2)), kind="stable")][0:50]]
// FOR: n in 0, 1, 20, 20000
// CALL: any(k=30, x=ones:n, y=zeros:30)
// EXPECT: y = where(arange(30) < n, 1, 0)
