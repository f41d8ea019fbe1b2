// Rows of 16 bytes that begin anywhere, loaded in reverse order in a loop.
// RUN: %run-test %s
fn row(x: in u8[], at: u64) -> u8[16] {
    var r: u8[16];
    unroll for (k in 0..16u32) r[k] = x[x.len - 1 - at - u64(k)];
    return r;
}
kernel k(n: u64, x: in u8[n], y: inout u32[8]) launch(block = 1, grid = 1) {
    var next = row(x, 0);
    for (at in (0..n / 16 * 16).step(16)) {
        let now = next;
        if (at + 32 <= n) next = row(x, at + 16);
        unroll for (k in 0..16u32) atomic.add(y[now[k] % 8], u32(k));
    }
}
// CALL: k(x=iota:37, y=zeros:8)
// EXPECT: y = [32, 28, 24, 20, 16, 44, 40, 36]
