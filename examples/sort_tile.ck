// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sort_tile.ck - each block sorts a tile of keys with their values; iterators as arguments; atomics.
// CALL: sort_tile(keys=[3, 1, 2, 0, 5], vals=[30, 10, 20, 0, 50], odd=[0])
// EXPECT: keys = [0, 1, 2, 3, 5]
// EXPECT: vals = [0, 5, 10, 15, 25]
// CALL: sort_tile(keys=rand:1024, vals=arange(1024), odd=[0])
// EXPECT: keys = np.sort(keys)
// EXPECT: vals = np.argsort(keys, kind='stable') * 0.5
// BENCH: sort_tile(keys=rand:2**22, vals=rand:2**22, odd=[0]) bytes = 16 * n

kernel sort_tile<const BLOCK: u32 = 128, const ITEMS: u32 = 8>(n: u64, keys: inout u32[n], vals: inout f32[n], odd: inout u32[1])
    launch(block = BLOCK, grid = ceil_div(n, BLOCK * ITEMS))
{
    let base = block.id.x * BLOCK * ITEMS;
    var k = block.load<blocked>(keys, base, ITEMS, default = ~0u32);
    var v = block.load<blocked>(vals.map(|x| x * 0.5), base, ITEMS);
    (k, v) = block.radix_sort(k, v);
    block.store<blocked>(keys, base, k);                        // guarded by the extent
    block.store<blocked>(vals, base, v);
    let before = block.exclusive_scan(popcount(k[0] & 1), +);
    if (warp.lane == 0) atomic.add(odd[0], before, order = relaxed, scope = device);
}
