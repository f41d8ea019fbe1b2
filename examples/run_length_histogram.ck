// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run_length_histogram.ck - histograms from runs, with more bins than fit in shared memory.
//
// run_length_histogram sorts the samples of a tile, as CUB's BLOCK_HISTO_SORT does: equal samples form
// a run, whose length is added in one step. It reads 4 bytes and has at most two atomic operations a
// run.
// run_length_cover takes runs: run i is lengths[i] bins from first[i] on. Its threads decode the
// same number of bins each, whatever the runs' lengths: 8 bytes a run, an atomic operation a bin.
// CALL: run_length_histogram(bins=8, x=[3, 7, 3, 3, 0], counts=zeros:8)
// EXPECT: counts = [1, 0, 0, 3, 0, 0, 0, 1]
// FOR: n in 1, 1023, 100003
// FOR: bins in 1, 256, 50000
// CALL: run_length_histogram(bins=bins, x=rand:n:1:0..bins-1, counts=zeros:bins)
// EXPECT: counts = bincount(x, minlength=bins)
// CALL: run_length_cover(bins=6, first=[0, 4, 2], lengths=[3, 2, 1], counts=zeros:6)
// EXPECT: counts = [1, 1, 2, 0, 1, 1]
// FOR: n in 1, 127, 5003
// CALL: run_length_cover(bins=300, first=rand:n:1:0..200, lengths=rand:n:2:0..99, counts=zeros:300)
// EXPECT: counts = [((first <= b) & (b < first + lengths)).sum() for b in range(300)]
// BENCH: run_length_histogram(bins=2**16, x=rand:2**24:1:0..2**16-1, counts=zeros:2**16) bytes = 4 * n

kernel run_length_histogram<const BLOCK: u32 = 128, const ITEMS: u32 = 8>(
    n: u64, bins: u32, x: in u32[n], counts: inout u32[bins])
    launch(block = BLOCK, grid = ceil_div(n, BLOCK * ITEMS))
{
    // Elements after the end get a bin that doesn't exist.
    let samples = block.load<vectorized>(x, block.rank * (BLOCK * ITEMS), ITEMS, default = bins);
    let sorted = block.radix_sort(samples, end_bit = 32 - clz(bins));
    let (heads, tails) = block.heads_and_tails(sorted, !=);
    unroll for (k in 0u32..ITEMS) {
        // A run's length is the index after its end minus the index of its start. The thread with
        // the end adds the former, the thread with the start subtracts the latter.
        let place = thread.rank * ITEMS + k;
        let part = (tails[k] ? place + 1 : 0) - (heads[k] ? place : 0);
        if (part != 0 && sorted[k] < bins) atomic.add(counts[sorted[k]], part);
    }
}

kernel run_length_cover<const BLOCK: u32 = 128, const ITEMS: u32 = 4>(
    n: u64, bins: u32, first: in u32[n], lengths: in u32[n], counts: inout u32[bins])
    launch(block = BLOCK, grid = ceil_div(n, BLOCK))
{
    let base = block.rank * BLOCK;
    let run = block.load(first, base, 1);
    let length = block.load(lengths, base, 1);          // 0 after the end
    var (from, total) = (0u32, 1u32);
    while (from < total) {
        let (firsts, offsets, all) = block.run_length_decode(run, length, from, ITEMS);
        total = all;
        unroll for (k in 0u32..ITEMS) {
            let item = from + thread.rank * ITEMS + k;
            if (item < total) atomic.add(counts[firsts[k] + offsets[k]], 1);
        }
        from += BLOCK * ITEMS;
    }
}
