// What has no neighbour is a head, a tail, or its own difference: f is not asked about it.
// RUN: %run-test %s
fn gap(t: in u32[], high: u32, low: u32) -> u32 = t[high - low - 1];
kernel left(t: in u32[4], x: in u32[128], y: out u32[128]) launch(block = 64, grid = 1) {
    block.store(y, 0, block.adjacent_difference(block.load(x, 0, 2), |a, b| gap(t, a, b)));
}
// CALL: left(t=[10, 20, 30, 40], x=2 * arange(128) + arange(128) % 2) -check
// EXPECT: y = where(arange(128) == 0, 0, where(arange(128) % 2 == 1, 30, 10))
kernel right(t: in u32[4], x: in u32[128], y: out u32[128]) launch(block = 64, grid = 1) {
    block.store(y, 0, block.adjacent_difference_right(block.load(x, 0, 2), |a, b| gap(t, b, a)));
}
// CALL: right(t=[10, 20, 30, 40], x=2 * arange(128) + arange(128) % 2) -check
// EXPECT: y = where(arange(128) == 127, 255, where(arange(128) % 2 == 0, 30, 10))
kernel runs(t: in u32[4], x: in u32[128], y: out u32[128]) launch(block = 64, grid = 1) {
    let v = block.load(x, 0, 2);
    let heads = block.heads(v, |a, b| gap(t, b, a) == 30);
    let tails = block.tails(v, |a, b| gap(t, b, a) == 30);
    block.store(y, 0, [u32(heads[0]) + 2 * u32(tails[0]), u32(heads[1]) + 2 * u32(tails[1])]);
}
// CALL: runs(t=[10, 20, 30, 40], x=2 * arange(128) + arange(128) % 2) -check
// EXPECT: y = where(arange(128) == 0, 3, where(arange(128) == 127, 3, 2 - arange(128) % 2))
