// block.radix_sort(keys, valid = n): the first n keys are sorted, stable, the others stay behind them.
// RUN: %run-test %s
kernel sort(m: u32, x: in u32[256], y: out u32[256]) launch(block = 64, grid = 1) {
    block.store(y, 0, block.radix_sort(block.load(x, 0, 4), valid = m), valid = m);
}
// FOR: m in 1, 77, 128, 255, 256
// CALL: sort(m=m, x=where(arange(256) < m, 4294967295 - arange(256), 5))
// EXPECT: y = where(arange(256) < m, 4294967296 - m + arange(256), 0)
kernel pairs(m: u32, x: in i32[128], y: out i32[128], z: out u32[128]) launch(block = 64, grid = 1) {
    let at = block.load(count<u32>(), 0, 2);
    let (k, v) = block.radix_sort(block.load(x, 0, 2), at, descending = true, valid = m);
    block.store(y, 0, k, valid = m);
    block.store(z, 0, v, valid = m);
}
// FOR: m in 2, 99
// CALL: pairs(m=m, x=where(arange(128) < m, -1 - arange(128) // 2, 100))
// EXPECT: y = where(arange(128) < m, -1 - arange(128) // 2, 0)
// EXPECT: z = where(arange(128) < m, arange(128), 0)
