// RUN: %run-test %s
// Scans of the runs of equal keys: in place, of a wider type, with another equality of keys.
algorithm running(n: u64, k: in i32[n], x: inout i32[n]) { inclusive_scan_by_key(k, x, x, +); }
algorithm before(n: u64, k: in i32[n], x: in i32[n], y: out i64[n]) {
    exclusive_scan_by_key(k, x.map(|v| i64(v)), y, +, 7i64, |a, b| a / 3 == b / 3);
}
// FOR: n in 0, 1, 4099
// CALL: running(k=arange(n) // 5, x=ones:n)
// EXPECT: x = arange(n) % 5 + 1
// FOR: n in 0, 1, 4099
// CALL: before(k=arange(n) // 4, x=ones:n, y=zeros:n)
// EXPECT: y = arange(n) % 12 + 7
