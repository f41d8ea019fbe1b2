// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/select_central.ck - select and partition for spans that are larger than the L2 cache: the form
// of device/select_steps.ck that central scanners (device/central.ck) make.
//
// A thread has M vectors of 16 bytes that are adjacent. M is odd, so that 8 neighbouring lanes read
// different banks of shared memory. The functions are asked once: the flags of a thread's elements, and
// how many elements its warp keeps before it, lie in shared memory until the tile is written.
//
//     count    flags of M vectors, ranks in the warp by one scan            marks[s, k, thread]
//     place    the kept elements in order to `staged`; in three ways, first, second, rest
//     write    staged to adjacent places; lanes begin at multiples of 32 elements of the result

// The elements of a thread that are in x.
fn __central_valid(n: u64, at: u64, i: u32, own: u32) -> u32 = u32(min(n - min(n, at + u64(i)), u64(own)));

// Flags of the thread's elements, of the first kind and of the second. The functions get only elements that
// are there.
fn __split_marks<const WAYS: u32, const M: u32, const IS_FULL: bool, T: type, F: fn, G: fn>(tile: in T[], i: u32, valid: u32, is_first: F, is_second: G) -> u32[WAYS == 3 ? 2 : 1] {
    const V: u32 = 16 / u32(sizeof<T>);
    const K: u32 = WAYS == 3 ? 2 : 1;
    var flags: u32[K];
    unroll for (q in 0..M) {
        let v = tile.load<V>(i + q * V);
        unroll for (j in 0..V) {
            if (IS_FULL || q * V + j < valid) {
                let is_one = is_first(v[j]);
                flags[0] |= u32(is_one) << (q * V + j);
                comptime if (WAYS == 3) flags[K - 1] |= u32(!is_one && is_second(v[j])) << (q * V + j);
            }
        }
    }
    return flags;
}

fn __split_count<const WAYS: u32, const M: u32, const TILE: u32, C: int, T: type, F: fn, G: fn>(tile: inout T[], marks: out u32[], threads: u32, x: in T[], at: u64, is_first: F, is_second: G, like: C) -> C[WAYS == 3 ? 2 : 1] {
    const V: u32 = 16 / u32(sizeof<T>);
    const K: u32 = WAYS == 3 ? 2 : 1;
    static_assert(M * V <= 20, "a mark has 20 bits for flags and 12 for a rank");
    __central_patch<TILE, 32 * M * V>(tile, x, at);
    let rank = thread.rank % threads;
    let i = rank * M * V;
    var flags: u32[K];
    if (at + u64(TILE) <= x.len) flags = __split_marks<WAYS, M, true>(tile, i, M * V, is_first, is_second);
    else flags = __split_marks<WAYS, M, false>(tile, i, __central_valid(x.len, at, i, M * V), is_first, is_second);
    var own = 0u32;
    unroll for (k in 0..K) own |= popcount(flags[k]) << (16 * k);
    let up_to = warp.inclusive_scan(own, +);
    let all = warp.shuffle(up_to, 31);
    var sum: C[K];
    unroll for (k in 0..K) {
        marks[k * threads + rank] = flags[k] | (up_to - own >> (16 * k) & 0xfff) << 20;
        sum[k] = C(all >> (16 * k) & 0xffff);
    }
    return sum;
}

fn __split_place<const WAYS: u32, const M: u32, const TILE: u32, C: int, T: type, F: fn, const K: u32>(tile: inout T[], marks: in u32[], threads: u32, n: u64, at: u64, of_warps: C[K], total: C[K], sync: F) {
    const V: u32 = 16 / u32(sizeof<T>);
    let rank = thread.rank % threads;
    let i = rank * M * V;
    let flags = marks[rank];
    var one = u32(of_warps[0]) + (flags >> 20);
    var more = 0u32;
    var two = 0u32;
    var rest = u32(total[0]) + (i - one);
    comptime if (WAYS == 3) {
        more = marks[threads + rank];
        let before = u32(of_warps[K - 1]) + (more >> 20);
        two = u32(total[0]) + before;
        rest += u32(total[K - 1]) - before;
    }
    let valid = WAYS == 1 || at + u64(TILE) <= n ? M * V : __central_valid(n, at, i, M * V);
    var v: vec<T, V>[M];
    unroll for (q in 0..M) v[q] = tile.load<V>(i + q * V);
    sync(0);
    unroll for (q in 0..M) {
        unroll for (j in 0..V) {
            let e = q * V + j;
            let is_one = (flags >> e & 1) == 1;
            comptime if (WAYS == 1) {
                if (is_one) tile[one] = v[q][j];
            } else {
                let is_two = WAYS == 3 && (more >> e & 1) == 1;
                if (e < valid) tile[is_one ? one : is_two ? two : rest] = v[q][j];
                two += u32(is_two);
                rest += u32(!is_one && !is_two);
            }
            one += u32(is_one);
        }
    }
}

fn __split_write<const WAYS: u32, const TILE: u32, C: int, T: type, A: type, B: type, O: type, const K: u32>(staged: in T[], threads: u32, n: u64, at: u64, total: C[K], before: C[K], first: A, second: B, rest: O) {
    let at_one = u64(before[0]);
    let at_two = WAYS == 3 ? u64(before[K - 1]) : 0u64;
    let ones = u32(total[0]);
    let both = ones + (WAYS == 3 ? u32(total[K - 1]) : 0);
    let valid = u32(min(n - min(n, at), u64(TILE)));
    __write_kinds<WAYS>(staged, thread.rank % threads, threads, ones, both, valid, at_one, at_two, at, first, second, rest);
    bulk.fence(); // the next copy to the tile comes after what was placed in it
}

fn __split_central<const WAYS: u32, const TEAMS: u32, const WORKERS: u32, const M: u32, const S: u32, const D: u32, C: int, T: type, F: fn, G: fn, A: type, B: type, O: type, N: type>(x: in T[], is_first: F, is_second: G, first: A, second: B, rest: O, sums: inout u64[], before: inout u64[], counts: N, like: C) {
    const V: u32 = 16 / u32(sizeof<T>);
    const K: u32 = WAYS == 3 ? 2 : 1;
    const THREADS: u32 = WORKERS * 32;
    const TILE: u32 = THREADS * M * V;
    const MARKS: u32 = K * THREADS;
    shared tiles: T[S * TILE];
    shared marks: u32[S * MARKS];
    var none: C[K];
    __central<TEAMS, WORKERS, S, D>(
        ceil_div(x.len, u64(TILE)), none, |t| WORKERS, // those without elements count 0
        |s, t, bar| __central_load<TILE>(tiles[s * TILE..s * TILE + TILE], x, t * u64(TILE), bar),
        |s, t| __split_count<WAYS, M, TILE>(tiles[s * TILE..s * TILE + TILE], marks[s * MARKS..s * MARKS + MARKS], THREADS, x, t * u64(TILE), is_first, is_second, like),
        |s, t, of_warps, total, ahead, sync| __split_place<WAYS, M, TILE>(tiles[s * TILE..s * TILE + TILE], marks[s * MARKS..s * MARKS + MARKS], THREADS, x.len, t * u64(TILE), of_warps, total, sync),
        |s, t, of_warps, total, ahead| __split_write<WAYS, TILE>(tiles[s * TILE..s * TILE + TILE], THREADS, x.len, t * u64(TILE), total, ahead, first, second, rest),
        |a, b| __both_counts(a, b),
        |all| __tell_split(counts, u64(all[0]), u64(all[K - 1])),
        sums, before);
}
fn __both_counts<C: int, const K: u32>(a: C[K], b: C[K]) -> C[K] {
    var r: C[K];
    unroll for (k in 0..K) r[k] = a[k] + b[k];
    return r;
}
