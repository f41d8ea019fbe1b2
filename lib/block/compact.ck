// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/compact.ck - fewer items, or more: compaction, histograms, runs.
//
// block.compact(items, keep)                  those whose flag in keep: bool[N] is set, in front
// block.histogram(items, counts)              counts[item] goes up by 1 for each item
// block.run_length_decode(values, lengths, from, M)   items of the runs, in a window
//
//   shape         any block of constant size; N items a thread, of any type (histogram: integers
//                 below counts.len)
//   arrangement   blocked, in and out; histogram: any
//   called by     all threads of the block; counts and from are the same in all of them
//   result        compact: (items, count): the first `count` items of the block, others anything.
//                 histogram: counts is a span or a shared array of u32, which the program clears; it
//                 is complete behind the next block.sync().
//                 run_length_decode: (items, offsets, total): M items a thread, from item `from` of
//                 all that the runs make; the place of each in its run; how many there are in all.
//                 Items at total or behind: anything
//   shared bytes  compact: the exchange's; run_length_decode: a value and 4 bytes a run; none
//   steps         compact: a scan, an exchange; histogram: N atomic steps; run_length_decode: a
//                 scan, then a search by halving for each item
//   target        any
//
//   let (kept, count) = block.compact(items, flags);

fn block.compact<T: type, const N: u32>(items: T[N], keep: bool[N]) -> (T[N], u32) {
    var ranks: u32[N];
    unroll for (k in 0..N) ranks[k] = u32(keep[k]);
    let (places, count) = block.exclusive_scan_total(ranks, +);
    return (block.exchange<4>(items, places, keep), count);
}

fn block.histogram<T: int, const N: u32>(items: T[N], counts: inout u32[]) {
    unroll for (k in 0..N) atomic.add(counts[items[k]], 1, scope = block);
}

fn __find_run(starts: inout u32[], item: u32) -> u32 {
    var (lo, hi) = (0u32, u32(starts.len));
    while (hi - lo > 1) {
        let middle = (lo + hi) / 2;
        if (starts[middle] <= item) lo = middle;
        else hi = middle;
    }
    return lo;
}
fn block.run_length_decode<T: type, const N: u32>(values: T[N], lengths: u32[N], from: u32, const M: u32) -> (T[M], u32[M], u32) {
    shared starts: u32[block.size * N];
    shared all: T[block.size * N];
    let (first, total) = block.exclusive_scan_total(lengths, +);
    unroll for (k in 0..N) {
        starts[thread.rank * N + k] = first[k];
        all[thread.rank * N + k] = values[k];
    }
    block.sync();
    var items: T[M];
    var offsets: u32[M];
    unroll for (k in 0..M) {
        let item = from + thread.rank * M + k;
        let run = __find_run(starts, item);
        (items[k], offsets[k]) = (all[run], item - starts[run]);
    }
    return (items, offsets, total);
}
