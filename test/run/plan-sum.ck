// RUN: %run-test %s
// An algorithm of several kernels: the form is chosen by the size, a device-wide result of one step
// is read by a later one, and a value made of results is stored by a step of its own.

fn tiles<T: type, I: type>(it: I, parts: out T[]) {
    let base = u64(block.id.x) * 1024;
    var s: T;
    for (k in (base + u64(thread.rank)..min(base + 1024, it.len)).step(256)) s += it[k];
    s = block.reduce(s, +);
    if (thread.rank == 0) parts[block.id.x] = s;
}
fn fold<T: type>(parts: in T[], to: out T[]) {
    var s: T;
    for (i in block.stride(parts.len)) s += parts[i];
    s = block.reduce(s, +);
    if (thread.rank == 0) to[0] = s;
}
algorithm total<I: type, T: type = element_of<I>>(it: I, zero: T) -> T {
    scratch result sum: T[1];
    scratch parts: T[ceil_div(it.len, 1024)];
    if (it.len <= 1024) {
        launch tiles<T>(block = 256, grid = 1, it, sum);
    } else {
        launch tiles<T>(block = 256, grid = ceil_div(it.len, 1024), it, parts);
        launch fold<T>(block = 256, grid = 1, parts, sum);
    }
    return sum[0];
}
algorithm squares(n: u64, x: in i32[n]) -> i32 = total(x.map(|v| v * v), 0);
algorithm moments(n: u64, x: in i64[n]) -> i64 {
    let s = total(x, 0i64);
    let q = total(x.map(|v| v * v), 0i64);
    return q * i64(n) - s * s;
}
// FOR: n in 0, 1, 1024, 1025, 5000
// CALL: squares(x=rand:n:1:-99..99)
// EXPECT: result = sum(x * x)
// FOR: n in 0, 1, 1024, 1025, 5000
// CALL: moments(x=rand:n:2:-99..99)
// EXPECT: result = sum(x * x) * n - sum(x) * sum(x)
