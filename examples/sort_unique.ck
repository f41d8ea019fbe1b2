// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sort_unique.ck - the distinct values of each row, sorted, and their number. A block processes a
// row in registers and shared memory: it reads 4 bytes an element, and writes 4 for each distinct
// value. sort_unique_all processes an array of any length.
// CALL: sort_unique(rows=2, n=5, x=[3, 1, 3, 2, 1, 7, 7, 7, 7, 7])
// EXPECT: counts = [3, 1]
// FOR: n in 1, 100, 1024
// FOR: most in 0, 50, 4294967295
// CALL: sort_unique(rows=3, n=n, x=rand:(3 * n):1:0..most)
// EXPECT: y = [[*unique(r), *[0] * n][:n] for r in x.reshape(3, n)]
// EXPECT: counts = [sum(1 for v in unique(r)) for r in x.reshape(3, n)]
// CALL: sort_unique_all(x=[3, 1, 3, 2, 1])
// EXPECT: result = 3
// EXPECT: y = [1, 2, 3, 0, 0]
// FOR: n in 1, 100003
// CALL: sort_unique_all(x=rand:n:1:0..999)
// EXPECT: y = [*unique(x), *[0] * n][:n]
// BENCH: sort_unique(rows=2**14, n=1000, x=rand:2**14*1000) bytes = 8 * rows * n

kernel sort_unique<const BLOCK: u32 = 128, const ITEMS: u32 = 8>(
    rows: u32, n: u32, x: in u32[rows * n], y: out u32[rows * n], counts: out u32[rows])
    launch(block = BLOCK, grid = rows)
{
    assert(n <= BLOCK * ITEMS, "a row is longer than a tile");
    let start = block.rank * u64(n);
    // The order doesn't matter before a sort. Missing elements get the largest value; the stable
    // sort puts them after all others.
    let items = block.load<striped>(x, start, ITEMS, default = ~0u32, valid = n);
    let sorted = block.radix_sort(items);
    var keep = block.heads(sorted, !=);
    unroll for (k in 0u32..ITEMS) if (thread.rank * ITEMS + k >= n) keep[k] = false;
    let (unique, count) = block.compact<striped>(sorted, keep);
    block.store<striped>(y, start, unique, valid = count);
    if (thread.rank == 0) counts[block.id.x] = count;
}

algorithm sort_unique_all(n: u64, x: inout u32[n], y: out u32[n]) -> u64 {
    radix_sort(x);
    let marked = count<u64>().take(n).map(|i| (x[i], i == 0 || x[i] != x[i - 1]));
    return select(marked, |m| m[1], y.map_store(|m| m[0]));
}
