// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/wide.ck - a thread's own run of items in a shared tile, 16 bytes at a time.
//
// thread.load<N>(tile, rank), thread.store(tile, rank, items), with `swizzle = true`;
// thread.swizzled<V>(chunk).
//
//   shape         any block; N items of a number type a thread, which fill V rows of 16 bytes; the
//                 tile is aligned to 16, as shared arrays are
//   arrangement   blocked: the run of rank r is items r * N to r * N + N - 1. With `swizzle` row c
//                 of 16 bytes lies at row c ^ (c / 8 % V), for V = 1, 2, 4 or 8
//   called by     any thread for itself
//   result        load: T[N]; swizzled: where row `chunk` lies, for a program that fills the tile
//                 itself
//   shared bytes  the program's tile alone
//   steps         V accesses. Shared memory serves 8 lanes at a time, 16 bytes each, if these lie in
//                 8 different groups of 4 banks. Lane l accesses rows l * V + k: that holds if V is
//                 odd, and for V = 2, 4 and 8 with the swizzle. Otherwise it takes up to V times
//                 as long
//   target        any
//   CUB           beyond CUB   let w = thread.load<4>(tile, v % 8); thread.store(tile, v % 8, w)
//                 beyond CUB   let w = thread.load<8>(tile, v % 8, swizzle = true); thread.store(tile, v % 8, w, swizzle = true); let c = thread.swizzled<2>(v)
//
//   kernel sums(x: in u32[640], y: out u32[640]) launch(block = 32, grid = 1)
//   {
//       shared tile: u32[640];
//       for (i in block.stride(640u32)) tile[i] = x[i];
//       block.sync();
//       var v = thread.load<20>(tile, thread.rank);         // 5 rows of 16 bytes: no bank conflict
//       for (k in 1..20) v[k] += v[k - 1];
//       thread.store(tile, thread.rank, v);
//       block.sync();
//       for (i in block.stride(640u32)) y[i] = tile[i];
//   }
//   CALL: sums(x=ones:640)
//   EXPECT: y = arange(640) % 20 + 1
//   COST: 2560 bytes, 2 barriers

// Eight lanes that access their first rows of 16 bytes, and the groups of 4 banks:
//
//     V = 2                   rows 0 2 4 6 8 10 12 14     groups 0 2 4 6 0 2 4 6: two lanes each
//     V = 2 with the swizzle       0 2 4 6 9 11 13 15            0 2 4 6 1 3 5 7
//     V = 3                        0 3 6 9 12 15 18 21           0 3 6 1 4 7 2 5

fn thread.swizzled<const V: u32>(chunk: u32) -> u32 {
    static_assert(V == 1 || V == 2 || V == 4 || V == 8, "a tile is swizzled for 1, 2, 4 or 8 rows of 16 bytes a thread");
    return chunk ^ (chunk / 8 % V);
}
fn __row_at<const V: u32, const SWIZZLE: bool>(chunk: u32) -> u32 {
    comptime if (SWIZZLE) return thread.swizzled<V>(chunk);
    else return chunk;
}
fn thread.load<const N: u32, const swizzle: bool = false, T: number>(tile: in T[], rank: u32) -> T[N] {
    const W: u32 = 16 / sizeof<T>;
    static_assert(N % W == 0, "the items of a thread fill rows of 16 bytes");
    var items: T[N];
    unroll for (k in 0..N / W) items.store(k * W, tile.load<W>(__row_at<N / W, swizzle>(rank * (N / W) + k) * W));
    return items;
}
fn thread.store<const swizzle: bool = false, T: number, const N: u32>(tile: out T[], rank: u32, items: T[N]) {
    const W: u32 = 16 / sizeof<T>;
    static_assert(N % W == 0, "the items of a thread fill rows of 16 bytes");
    unroll for (k in 0..N / W) tile.store(__row_at<N / W, swizzle>(rank * (N / W) + k) * W, items.load<W>(k * W));
}
