// With valid = n, f is asked about the first n items alone.
// RUN: %run-test %s
fn jump(t: in u32[], a: u32, b: u32) -> u32 = t[a] - t[b];
kernel left(t: in u32[100], x: in u32[256], y: out u32[256]) launch(block = 64, grid = 1) {
    let v = block.load(x, 0, 4);
    block.store(y, 0, block.adjacent_difference(v, |a, b| jump(t, a, b), valid = 77));
}
// CALL: left(t=3 * arange(100), x=where(arange(256) < 77, arange(256), 5000)) -check
// EXPECT: y = where(arange(256) == 0, 0, where(arange(256) < 77, 3, 5000))
kernel right(t: in u32[100], x: in u32[256], y: out u32[256]) launch(block = 64, grid = 1) {
    let v = block.load(x, 0, 4);
    block.store(y, 0, block.adjacent_difference_right(v, |a, b| jump(t, b, a), valid = 77));
}
// CALL: right(t=3 * arange(100), x=where(arange(256) < 77, arange(256), 5000)) -check
// EXPECT: y = where(arange(256) < 76, 3, where(arange(256) == 76, 76, 5000))
kernel after(t: in u32[100], x: in u32[256], y: out u32[256]) launch(block = 64, grid = 1) {
    let v = block.load(x, 0, 4);
    block.store(y, 0, block.adjacent_difference(v, |a, b| jump(t, a, b), valid = 77, before = 99));
}
// CALL: after(t=3 * arange(100), x=where(arange(256) < 77, 99 - arange(256), 5000)) -check
// EXPECT: y = where(arange(256) == 0, 0, where(arange(256) < 77, -3 % 4294967296, 5000))
