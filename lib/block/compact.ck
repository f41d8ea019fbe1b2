// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/compact.ck - compaction, histograms, and decoding of run lengths.
//
// block.compact(items, keep)                  the items whose flag in keep: bool[N] is set, packed to
//                                             the front
// block.histogram(items, counts)              increments counts[item] for each item; with
//                                             `clear = true`, a constant, starts from 0
// block.run_length_decode(values, lengths, from, M)   items of the runs, in a window; also
//                                             (values, from, M, offsets = starts)
//
//   shape         any block of constant size; N items a thread, of any type (histogram: integers
//                 below counts.len)
//   arrangement   blocked, in and out; compact<striped>: the result is striped; histogram: any
//   called by     all threads of the block; counts and from are the same in all of them
//   result        compact: (items, count): the first `count` items of the block; the others are
//                 unspecified. histogram: counts is a span or a shared array of u32; it is complete
//                 after the next block.sync(). run_length_decode: (items, offsets, total): M items
//                 per thread, from item `from` of the decoded sequence; the position of each in its
//                 run; the length of the decoded sequence. Items from total on are unspecified.
//                 With offsets = starts, the start of each run in the decoded sequence, ascending
//                 from 0: (items, offsets); the last run then has no end
//   algorithms    histogram<sort>: sorts the items and adds the length of each run in one step, for
//                 counts in global memory that many blocks share. In shared memory atomic
//                 operations take a sixth of its time, even if all items are equal (256 bins, H200)
//   shared bytes  compact: an item each, 1/32 more; run_length_decode: a value and 4 bytes a run, or a
//                 scan's if that is more; histogram: none, histogram<sort>: radix.ck's
//   steps         compact: a scan, an exchange; histogram: N atomic operations, histogram<sort>:
//                 radix.ck's passes over as many bits as counts.len - 1 has, then at most 2 atomic
//                 operations a bin; run_length_decode: a scan (none with offsets), a barrier, a
//                 binary search for each item
//   target        any
//   CUB           beyond CUB                                    block.compact(items, keep)
//                     CUB has it of a device: DeviceSelect
//                 BlockHistogram::Composite(items, histogram)   block.histogram(items, counts)
//                 ::InitHistogram(histogram)                    block.histogram(items, counts, clear = true)
//                 ::Histogram(items, histogram)                 block.histogram(items, counts, clear = true)
//                 BLOCK_HISTO_ATOMIC                            block.histogram(items, counts)
//                 BLOCK_HISTO_SORT                              block.histogram<sort>(items, counts)
//                 BlockRunLengthDecode(values, lengths)         block.run_length_decode(values, lengths, from, M)
//                     total_decoded_size: its third value
//                 BlockRunLengthDecode::RunLengthDecode(items, offsets, from)   block.run_length_decode(values, lengths, from, M)
//                     offsets: its second value
//                 BlockRunLengthDecode(values, run_offsets)     block.run_length_decode(values, from, M, offsets = starts)
//
//   kernel even(x: in u32[100], y: out u32[100], count: out u32[1]) launch(block = 100, grid = 1)
//   {
//       let (kept, n) = block.compact([x[thread.rank]], [x[thread.rank] % 2 == 0]);
//       block.store(y, 0, kept, valid = n);
//       if (thread.rank == 0) count[0] = n;
//   }
//   CALL: even(x=iota:100)
//   EXPECT: y = where(arange(100) < 50, 2 * arange(100), 0)
//   EXPECT: count = 50
//   COST: 416 bytes, 3 barriers
//
//   kernel histogram(x: in u8[256], y: out u32[4]) launch(block = 64, grid = 1)
//   {
//       shared counts: u32[4];
//       block.histogram(block.load(x, 0, 4), counts, clear = true);
//       block.sync();
//       if (thread.rank < 4) y[thread.rank] = counts[thread.rank];
//   }
//   CALL: histogram(x=arange(256) % 3)
//   EXPECT: y = [86, 85, 85, 0]
//   COST: 16 bytes, 2 barriers
//
//   kernel runs(y: out u32[64], n: out u32[1]) launch(block = 32, grid = 1)
//   {
//       let (items, offsets, total) = block.run_length_decode([thread.rank], [2u32], 0, 2);
//       block.store(y, 0, [10 * items[0] + offsets[0], 10 * items[1] + offsets[1]]);
//       if (thread.rank == 0) n[0] = total;
//   }
//   CALL: runs()
//   EXPECT: y = 10 * (arange(64) // 2) + arange(64) % 2
//   EXPECT: n = 64
//   COST: 256 bytes, 1 barrier

fn block.compact<const to: u32 = 0, T: type, const N: u32>(items: T[N], keep: bool[N]) -> (T[N], u32) {
    static_assert(to <= striped, "compact leaves its result blocked or striped");
    var ranks: u32[N];
    unroll for (k in 0..N) ranks[k] = u32(keep[k]);
    let (before, count) = block.exclusive_scan_total(ranks, +);
    unroll for (k in 0..N) ranks[k] = keep[k] ? before[k] : count;
    return (__gather_at<N, to>(items, ranks, count), count);
}

// A thread adds the length of a run within its items in one step; a run that crosses threads is
// added by its first and its last thread, from the positions of its ends. The sort ranks with
// `basic`, which reads its counts again: kept in registers beside the items (memoize), they leave
// room for one block less per multiprocessor.
fn __histogram_sorted<T: int, const N: u32>(items: T[N], counts: inout u32[]) {
    const COUNTS = N > 4 && __counts_fit<N>();
    const HOW: u32 = COUNTS ? basic : 0;
    const SCAN: u32 = COUNTS ? warp_scans : 0;
    let sorted = block.radix_sort<blocked, HOW>(items, end_bit = 32 - clz(u32(counts.len) - 1), scan = SCAN);
    let (heads, tails) = block.heads_and_tails(sorted, !=);
    let outside = 0 - thread.rank * N;
    var start = heads[0] ? 0 : outside;
    unroll for (k in 1..N) {
        if (heads[k]) {
            atomic.add(counts[sorted[k - 1]], k - start);
            start = k;
        }
    }
    let length = (tails[N - 1] ? N : outside) - start;
    if (length > 0) atomic.add(counts[sorted[N - 1]], length);
}
// Counts may be global memory that blocks share, so the atomic operations have device scope.
fn block.histogram<const method: u32 = 0, T: int, const N: u32>(items: T[N], counts: inout u32[], const clear: bool = false) {
    static_assert(method == 0 || method == sort, "a histogram takes sort, or no word: then it counts by atomic steps");
    comptime if (clear) {
        for (i in block.stride(counts.len)) counts[i] = 0;
        block.sync();
    }
    comptime if (method == sort) {
        __histogram_sorted(items, counts);
    } else {
        unroll for (k in 0..N) atomic.add(counts[items[k]], 1);
    }
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
fn __decode_runs<const M: u32, T: type, const N: u32>(values: T[N], first: u32[N], from: u32) -> (T[M], u32[M]) {
    shared starts: u32[block.size * N];
    shared all: T[block.size * N];
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
    return (items, offsets);
}
fn block.run_length_decode<T: type, const N: u32>(values: T[N], lengths: u32[N], from: u32, const M: u32) -> (T[M], u32[M], u32) {
    let (first, total) = block.exclusive_scan_total(lengths, +);
    let (items, offsets) = __decode_runs<M>(values, first, from);
    return (items, offsets, total);
}
fn block.run_length_decode<T: type, const N: u32>(values: T[N], from: u32, const M: u32, offsets: u32[N]) -> (T[M], u32[M]) = __decode_runs<M>(values, offsets, from);
