// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// top_k.ck - the K greatest elements of each row in descending order, and their indices: a block
// processes a row in tiles. The best so far join the keys of the next tile; a tile without an
// element above them is skipped after one reduction. Each element is read once: 4 bytes of f32, and
// 8 * K are written a row. Which of equal elements are taken is unspecified. If fewer than K are
// above -inf, the others are -inf, and their indices may be n or more.
// CALL: top_k<f32, 2>(rows=2, n=3, x=[1, 9, 4, 3, 2, 8])
// EXPECT: values = [9, 4, 8, 3]
// EXPECT: indices = [1, 2, 2, 0]
// CALL: top_k<f64, 3>(rows=1, n=2, x=[1, 2])
// EXPECT: values = [2, 1, -inf]
// EXPECT: indices = [1, 0, 2]
// FOR: n in 8, 1025, 5000
// CALL: top_k(rows=3, n=n, x=rand:(3 * n))
// EXPECT: values = -sort(-x.reshape(3, n))[:, :8]
// EXPECT: indices = argsort(-x.reshape(3, n))[:, :8]
// CALL: top_k<f64, 100, 128, 4>(rows=2, n=3000, x=rand:6000)
// EXPECT: values = -sort(-x.reshape(2, 3000))[:, :100]
// CALL: top_k<bf16, 8, 32>(rows=2, n=700, x=rand:1400)
// EXPECT: values = -sort(-x.reshape(2, 700))[:, :8]
// BENCH: top_k(rows=2048, n=8192, x=rand:2048*8192) bytes = 4 * rows * n

kernel top_k<T: float = f32, const K: u32 = 8, const BLOCK: u32 = 128, const ITEMS: u32 = 8>(
    rows: u32, n: u32, x: in T[rows * n], values: out T[rows * K], indices: out u32[rows * K])
    launch(block = BLOCK, grid = rows)
{
    static_assert(K <= BLOCK, "a thread has one of the best");
    let start = block.rank * u64(n);
    var (best, place) = (-inf<T>, n);                   // thread t holds the t-th
    for (from in (0..n).step(BLOCK * ITEMS)) {
        let at = start + from;
        let items = block.load<vectorized>(x, at, ITEMS, default = -inf<T>, valid = n - from);
        // elements that aren't greater can't be among the best
        let least = block.shuffle(best, K - 1);
        var better = 0u32;
        unroll for (k in 0..ITEMS) better |= u32(!(items[k] <= least));
        if (block.reduce(better, |) == 0) continue;
        var keys: T[ITEMS + 1];
        var places: u32[ITEMS + 1];
        (keys[0], places[0]) = (best, place);
        unroll for (k in 0u32..ITEMS) {
            (keys[k + 1], places[k + 1]) = (items[k], from + thread.rank * ITEMS + k);
        }
        let (top, top_places) = block.top_k(keys, places, K);
        if (thread.rank < K) (best, place) = (top[0], top_places[0]);
    }
    if (thread.rank < K) {
        values[block.rank * K + thread.rank] = best;
        indices[block.rank * K + thread.rank] = place;
    }
}
