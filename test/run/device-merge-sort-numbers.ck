// RUN: %run-test %s
// Merge sorts of numbers in the order of < or >, also by a lambda that says so; both zeros are equal.
algorithm rising<T: number>(n: u64, x: inout T[n]) { merge_sort(x, <); }
algorithm falling<T: number>(n: u64, x: in T[n], y: out T[n]) { merge_sort(x, y, >); }
algorithm by_lambda(n: u64, x: in i32[n], y: out i32[n]) { merge_sort(x.reverse(), y, |a, b| a < b); }
algorithm signs(n: u64, y: out i32[n]) {
    scratch x: f32[n];
    merge_sort(count<u32>().take(n).map(|i| i % 2 == 0 ? -0.0 : 0.0), x, <);
    transform(x, y, |v| bit_cast<u32>(v) == 0 ? 1 : -1);
}
// FOR: n in 0, 1, 33, 8705
// CALL: rising<i32>(x=rand:n:1:-2000000000..2000000000)
// EXPECT: x = np.sort(x)
// FOR: n in 0, 1, 33, 8705
// CALL: rising<f64>(x=rand:n:2:-1000..1000)
// EXPECT: x = np.sort(x)
// FOR: n in 0, 1, 33, 8705
// CALL: falling<u8>(x=rand:n:3:0..255, y=zeros:n)
// EXPECT: y = np.sort(x)[::-1]
// FOR: n in 0, 1, 33, 8705
// CALL: by_lambda(x=rand:n:4:-9..9, y=zeros:n)
// EXPECT: y = np.sort(x)
// FOR: n in 6, 9000
// CALL: signs(y=zeros:n)
// EXPECT: y = where(arange(n) % 2 == 0, -1, 1)
