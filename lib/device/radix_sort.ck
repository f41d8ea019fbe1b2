// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/radix_sort.ck - sorts a sequence in global memory, by all threads of the grid.
//
// grid.radix_sort(it), with descending = false
//
//   it            a readable and writable iterator of numbers; its maximum length is known at the
//                 launch: for y.take(k), that of y
//   overlap       it and it: rejected
//   order         that of block.radix_sort
//   called by     all threads of the grid; the block's size is a constant multiple of 32
//   result        sorted in place, visible to all threads
//   scratch       a copy of the elements, and 256 counts a block
//   steps         a pass for every 8 bits of the type, from the lowest on: each block counts the
//                 digits of its run of elements; a scan over the blocks, one row per digit, turns
//                 counts into positions; each block sorts its run tile by tile and writes each
//                 digit to its position. Three grid.sync() a pass. On the host, unless checked: one
//                 thread executes the passes, followed by one grid.sync()
//   target        any
//
//   grid.radix_sort(keys, descending = true);

fn __sort_digit<K: number>(k: K, bit: u32, descending: bool) -> u32 {
    let bits = __key(k);
    let d = u32(__digits(k, bits) >> bit) & 255;
    return descending ? 255 - d : d;
}

// One pass: moves elements lo to hi - 1 of `from` to their positions in `to`, by their digits at
// `bit`. Row d of `counts` has a count for each block, and totals[d] is its sum.
fn __sort_pass<K: number, A: type, B: type>(from: A, to: B, lo: u64, hi: u64, bit: u32, descending: bool,
                                            counts: inout u64[], totals: inout u64[], like: K) {
    const BINS = 256;
    const ITEMS = 8;
    const TILE = block.size * ITEMS;
    let blocks = u64(grid.dim.x * grid.dim.y * grid.dim.z);
    shared next: u64[BINS];
    shared starts: u32[BINS];
    shared ends: u32[BINS];
    // Count each digit of the run.
    for (d in block.stride(BINS)) starts[d] = 0;
    block.sync();
    for (i in (lo + u64(thread.rank)..hi).step(u64(block.size))) {
        let d = __sort_digit(from[i], bit, descending);
        atomic.add(starts[d], 1, scope = block);
    }
    block.sync();
    for (d in block.stride(BINS)) counts[u64(d) * blocks + block.rank] = u64(starts[d]);
    grid.sync();
    // Each block scans some rows: for each block, the number of this digit in earlier blocks.
    const EACH = 4;
    for (d in (block.rank..BINS).step(blocks)) {
        let row = d * blocks;
        var sum = 0u64;
        for (tile in (0..blocks).step(u64(EACH * block.size))) {
            var v: u64[EACH];
            let first = tile + u64(EACH * thread.rank);
            unroll for (k in 0..EACH) {
                if (first + u64(k) < blocks) v[k] = counts[row + first + u64(k)];
            }
            let (before, total) = block.exclusive_scan_total(v, +);
            unroll for (k in 0..EACH) {
                if (first + u64(k) < blocks) counts[row + first + u64(k)] = sum + before[k];
            }
            sum += total;
        }
        if (thread.rank == 0) totals[d] = sum;
    }
    grid.sync();
    // The position of this block's first element of each digit.
    const PER = (BINS + block.size - 1) / block.size;
    var mine: u64[PER];
    unroll for (j in 0..PER) {
        let d = thread.rank * PER + j;
        if (d < BINS) mine[j] = totals[d];
    }
    mine = block.exclusive_scan(mine, +);
    unroll for (j in 0..PER) {
        let d = thread.rank * PER + j;
        if (d < BINS) next[d] = mine[j] + counts[u64(d) * blocks + block.rank];
    }
    shared sorted: K[TILE];
    var tile = lo;
    while (tile < hi) {
        let count = u32(min(hi - tile, u64(TILE)));
        var keys: K[ITEMS];
        var digits: u32[ITEMS];
        unroll for (k in 0u32..ITEMS) {
            let i = warp.rank * (32 * ITEMS) + 32 * k + warp.lane;
            digits[k] = BINS - 1; // places beyond the end sort last
            if (i < count) {
                keys[k] = from[tile + u64(i)];
                digits[k] = __sort_digit(keys[k], bit, descending);
            }
        }
        let ranks = __radix_rank<8>(digits);
        for (d in block.stride(BINS)) {
            starts[d] = 0;
            ends[d] = 0;
        }
        unroll for (k in 0..ITEMS) sorted[ranks[k]] = keys[k];
        block.sync();
        // In the sorted tile, equal digits form runs.
        for (r in block.stride(count)) {
            let d = __sort_digit(sorted[r], bit, descending);
            if (r == 0 || __sort_digit(sorted[r - 1], bit, descending) != d) starts[d] = r;
            if (r + 1 == count || __sort_digit(sorted[r + 1], bit, descending) != d) ends[d] = r + 1;
        }
        block.sync();
        for (r in block.stride(count)) {
            let d = __sort_digit(sorted[r], bit, descending);
            to[next[d] + u64(r - starts[d])] = sorted[r];
        }
        block.sync();
        for (d in block.stride(BINS)) next[d] += u64(ends[d] - starts[d]);
        tile += u64(TILE);
    }
    grid.sync();
}

// One pass by one thread: counts the digits, scans the counts, and moves each element to its
// position.
fn __sort_pass_serial<K: number, A: type, B: type>(from: A, to: B, n: u64, bit: u32, descending: bool, next: inout u64[], like: K) {
    const BINS = 256;
    for (d in 0..BINS) next[d] = 0;
    for (i in 0..n) next[__sort_digit(from[i], bit, descending)] += 1;
    var sum = 0u64;
    for (d in 0..BINS) {
        let count = next[d];
        next[d] = sum;
        sum += count;
    }
    for (i in 0..n) {
        let k = from[i];
        let d = __sort_digit(k, bit, descending);
        to[next[d]] = k;
        next[d] += 1;
    }
}
fn __sort_serial<K: number, I: type>(it: I, other: inout K[], descending: bool, next: inout u64[], like: K) {
    const BITS: u32 = 8 * (sizeof<K>);
    let n = it.len;
    for (bit in (0..BITS).step(16)) {
        __sort_pass_serial(it, other, n, bit, descending, next, like);
        comptime if (BITS > 8) __sort_pass_serial(other, it, n, bit + 8, descending, next, like);
    }
    comptime if (BITS == 8) {
        for (i in 0..n) it[i] = other[i];
    }
}

fn __sort_grid<K: number, I: type>(it: I, descending: bool, like: K) {
    const BITS: u32 = 8 * (sizeof<K>);
    const TILE = u64(block.size * 8);
    let blocks = u64(grid.dim.x * grid.dim.y * grid.dim.z);
    scratch other: K[__most(it)];
    scratch counts: u64[256 * grid.dim.x * grid.dim.y * grid.dim.z];
    scratch totals: u64[256];
    let n = it.len;
    comptime if (__is_serial()) {
        block.sync();
        if (grid.thread_rank == 0) __sort_serial(it, other, descending, totals, like);
        grid.sync();
    } else {
        let run = ceil_div(ceil_div(n, blocks), TILE) * TILE;
        let lo = min(block.rank * run, n);
        let hi = min(lo + run, n);
        for (bit in (0..BITS).step(16)) {
            __sort_pass(it, other, lo, hi, bit, descending, counts, totals, like);
            comptime if (BITS > 8) __sort_pass(other, it, lo, hi, bit + 8, descending, counts, totals, like);
        }
        comptime if (BITS == 8) {
            for (i in grid.stride(n)) it[i] = other[i];
            grid.sync();
        }
    }
}

fn grid.radix_sort<I: type>(it: I, descending: bool = false) {
    __apart(it);
    __sort_grid(it, descending, __zero(it[0u64]));
}
