// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/compact.ck - what the algorithms have in common that copy some of a sequence's elements to
// adjacent places: select, partition, unique, run_length_encode.
//
// A block takes one tile. A warp reads rows of 32 vectors, and each element has a flag:
//
//     lane      0       1      ...    31
//     row 0   a b c d | e f g h | ... |       flags of a lane: bit row * V + item
//     row 1   ....                            kept in a row, before a lane: one scan over the lanes of
//     row 2   ....                            a word that has a byte for each row
//
// A row has at most 128 elements, so a byte holds the count, and there are at most 4 rows. The tile's
// kept elements are put in order in shared memory, and go from there to adjacent places. Where they
// begin is known by looking back over the counts of the tiles before (device/scan.ck); the counts are
// words with epochs (device/state.ck).

// The elements of a vector: as many as make up 16 bytes, and at most 4.
fn __kept_items<T: number>() -> u32 = __wide_count<T>() > 4 ? 4 : __wide_count<T>();
fn __kept_items<T: type>() -> u32 = sizeof<T> <= 8 ? 4 : sizeof<T> <= 16 ? 2 : 1;

// The rows of a warp in a large tile, so that a thread has at most MOST bytes; four of them at most.
fn __kept_height_of<const MOST: u32, T: type>() -> u32 {
    const BYTES: u32 = __kept_items<T>() * u32(sizeof<T>);
    return max(min(MOST / BYTES, 4), 1);
}
fn __kept_height<T: type>() -> u32 = __kept_height_of<64, T>();

// The thread's elements of a tile. FULL: all of them are there; else those that aren't equal the last one.
fn __kept_rows<const R: u32, const V: u32, const WIDE: bool, const FULL: bool, I: type>(it: I, mine: u64, n: u64) -> element_of<I>[R * V] {
    var v: element_of<I>[R * V];
    comptime if (!FULL) {
        if (n > 0) v[0] = it[n - 1];
        unroll for (k in 1..R * V) v[k] = v[0];
    }
    unroll for (r in 0..R) {
        let at = mine + u64(r * 32 * V);
        comptime if (FULL) {
            let a = __adjacent<V, WIDE>(it, at);
            unroll for (j in 0..V) v[r * V + j] = a[j];
        } else {
            unroll for (j in 0..V) {
                if (at + u64(j) < n) v[r * V + j] = it[at + u64(j)];
            }
        }
    }
    return v;
}

fn __kept_tile<const R: u32, const V: u32, I: type>(it: I, mine: u64, n: u64, is_full: bool) -> element_of<I>[R * V] {
    if (!is_full) return __kept_rows<R, V, false, false>(it, mine, n);
    if (__adjoins<V>(it)) {
        // LLVM would take loads out of both branches, the first or the last ones, and lose that they are
        // parts of vectors.
        warp.sync();
        let v = __kept_rows<R, V, true, true>(it, mine, n);
        warp.sync();
        return v;
    }
    return __kept_rows<R, V, false, true>(it, mine, n);
}

// A byte for each row: how many of the lane's flags are set in it.
fn __kept_counts<const R: u32, const V: u32>(flags: u32) -> u32 {
    var counts = 0u32;
    unroll for (r in 0..R) counts |= popcount(flags >> (r * V) & ((1u32 << V) - 1)) << (8 * r);
    return counts;
}

// For the lane's first element in each row: how many of the warp's flags before it are set, plus `first`.
fn __kept_starts<const R: u32, const V: u32>(flags: u32, first: u32) -> u32[R] {
    let own = __kept_counts<R, V>(flags);
    let up_to = warp.inclusive_scan(own, +);
    let rows = warp.shuffle(up_to, 31);
    let before = up_to - own;
    var starts: u32[R];
    var base = first;
    unroll for (r in 0..R) {
        starts[r] = base + (before >> (8 * r) & 255);
        base += rows >> (8 * r) & 255;
    }
    return starts;
}
// The same for each element.
fn __kept_ranks<const R: u32, const V: u32>(flags: u32, first: u32) -> u32[R * V] {
    let starts = __kept_starts<R, V>(flags, first);
    var ranks: u32[R * V];
    unroll for (r in 0..R) {
        var at = starts[r];
        unroll for (j in 0..V) {
            ranks[r * V + j] = at;
            at += flags >> (r * V + j) & 1;
        }
    }
    return ranks;
}

// Flags of the elements that begin a run: which aren't the same as the one before. A warp's lanes call
// it together. `local` is the place of the thread's first element in the tile. All of them are compared,
// since `same` may be given those that aren't there: they equal the last one, and have no flag.
fn __kept_heads<const R: u32, const V: u32, const TILE: u32, I: type, F: fn, T: type, const N: u32>(it: I, v: T[N], mine: u64, local: u32, valid: u32, same: F) -> u32 {
    if (valid == 0) return 0;
    var left = v[0]; // of lane 0: the element before its row
    if (warp.lane == 0 && mine > 0 && local < valid) left = it[mine - 1];
    var flags = u32(mine == 0);
    unroll for (r in 0..R) {
        let last = v[r * V + V - 1];
        let other = warp.shuffle_up(last, 1);
        var before = warp.lane == 0 ? left : other;
        left = warp.shuffle(last, 31);
        unroll for (j in 0..V) {
            flags |= u32(!same(before, v[r * V + j])) << (r * V + j);
            before = v[r * V + j];
        }
    }
    if (valid < TILE) {
        var there = 0u32;
        unroll for (e in 0..N) there |= u32(local + e / V * 32 * V + e % V < valid) << e;
        flags &= there;
    }
    return flags;
}

// The sum of K counts of all tiles before this one, by one warp. All lanes get it.
fn __counts_before<const K: u32, C: int>(words: inout u64[], tile: u64, tag: u32, like: C) -> C[K] {
    var sum: C[K];
    var at = tile; // the tiles from here on are in it
    var is_done = tile == 0;
    while (!is_done) {
        var v: C[K];
        var kind = 0u32;
        if (u64(warp.lane) < at) {
            let (got, what) = __get_state<C[K]>(words, at - 1 - u64(warp.lane), tag);
            v = got;
            kind = what;
        }
        let ready = warp.ballot(kind != 0);
        let whole = warp.ballot(kind == __PREFIX);
        let run = ready == ~0u32 ? 32u32 : ctz(~ready); // counts without a gap
        let stop = whole == 0 ? 32u32 : ctz(whole);
        let count = min(run, stop + 1);
        if (warp.lane < count) {
            unroll for (k in 0..K) sum[k] += v[k];
        }
        is_done = stop < run;
        at -= u64(count);
        if (count == 0) thread.yield();
    }
    unroll for (k in 0..K) sum[k] = warp.reduce(sum[k], +);
    return sum;
}
