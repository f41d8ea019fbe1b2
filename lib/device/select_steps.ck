// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/select_steps.ck - elements by what a function says of them, by launches of kernels.
//
// select(it, keep, to), select_flagged(it, flags, to), partition(it, is_first, first, rest),
// partition(it, is_first, is_second, first, second, rest), in an algorithm
//
//   it, to        iterators; `it` is finite, what is written has room for what comes to it. `flags` is
//                 as long as `it`, of bools or numbers, and an element is kept if its flag isn't 0
//   overlap       it and what is written: of select, allowed for spans, wherever each begins; else
//                 rejected. The functions and what is written: rejected
//   is_second     is asked about elements for which is_first doesn't hold
//   result        the number of kept elements; of partition, of those in `first`; in three ways, a tuple
//                 of those in `first` and in `second`. Elements are in the order of `it`
//   launches      1
//   scratch       up to 2^32 elements a word of persistent memory for each tile, or two in three ways
//   steps         a block flags a tile's elements, publishes how many there are of each kind, puts them
//                 in order in shared memory, and looks back over the tiles before it
//                 (device/compact.ck). If `it` and `to` are parts of one span: grid.select
//   target        any
//   CUB           DeviceSelect::If(x, y, count, n, keep)             select(x, keep, y)
//                 DeviceSelect::If(x, count, n, keep)                select(x, keep, x)
//                 DeviceSelect::Flagged(x, flags, y, count, n)       select_flagged(x, flags, y)
//                 DeviceSelect::FlaggedIf(x, flags, y, count, n, p)  select_flagged(x, flags.map(p), y)
//                 DevicePartition::If(x, y, count, n, f)             partition(x, f, y, z)
//                 DevicePartition::If(x, a, b, c, counts, n, f, g)   partition(x, f, g, a, b, c)
//   Thrust        copy_if(x, y, keep), remove_if                     select(x, keep, y), select(x, |v| !p(v), x)
//                 stable_partition_copy(x, y, z, f)                  partition(x, f, y, z)
//   cuda.compute  select                                             select(x, keep, y)
//                 three_way_partition                                partition(x, f, g, a, b, c)
//
//   algorithm positive(n: u64, x: in i32[n], y: out i32[n]) -> u64 = select(x, |v| v > 0, y);
//   CALL: positive(x=[3, -1, 2], y=zeros:3)
//   EXPECT: result = 2
//   EXPECT: y = [3, 2, 0]
//
//   algorithm small_large(n: u64, x: in i32[n], a: out i32[n], b: out i32[n], c: out i32[n]) -> (u64, u64) =
//       partition(x, |v| v < 10, |v| v > 99, a, b, c);
//   CALL: small_large(x=[5, 100, 20, 7], a=zeros:4, b=zeros:4, c=zeros:4)
//   EXPECT: a = [5, 7, 0, 0]
//   EXPECT: b = [100, 0, 0, 0]
//   EXPECT: c = [20, 0, 0, 0]
//   EXPECT: result = [2, 1]

const __SMALL_SELECT: u64 = 131072;
const __LARGE_SELECT: u64 = 4194304;
const __NARROW: u64 = 4294967295; // of so many elements counts are u32

fn __tell_split(counts: out u64[], one: u64, two: u64) { counts[0] = one; }
fn __tell_split(counts: out (u64, u64)[], one: u64, two: u64) { counts[0] = (one, two); }

// A flag for each element of the first kind, and where WAYS = 3 for each one of the second kind.
fn __split_flags<const WAYS: u32, const R: u32, const V: u32, const IS_FULL: bool, T: type, F: fn, G: fn>(v: T[R * V], local: u32, valid: u32, is_first: F, is_second: G) -> u32[WAYS == 3 ? 2 : 1] {
    const K: u32 = WAYS == 3 ? 2 : 1;
    var flags: u32[K];
    unroll for (r in 0..R) {
        unroll for (j in 0..V) {
            if (IS_FULL || local + r * 32 * V + j < valid) {
                let is_one = is_first(v[r * V + j]);
                flags[0] |= u32(is_one) << (r * V + j);
                comptime if (WAYS == 3) {
                    if (!is_one) flags[K - 1] |= u32(is_second(v[r * V + j])) << (r * V + j);
                }
            }
        }
    }
    return flags;
}

// WAYS: 1 keeps the first kind alone, 2 and 3 keep all elements; 0 keeps those that begin a run, and
// is_first says whether two elements are the same.
fn __split_tiles<const WAYS: u32, const R: u32, C: int, I: type, F: fn, G: fn, A: type, B: type, O: type, N: type>(it: I, is_first: F, is_second: G, first: A, second: B, rest: O, words: inout u64[], counts: N, like: C) {
    const V: u32 = __kept_items<element_of<I>>();
    const K: u32 = WAYS == 3 ? 2 : 1;
    const WARPS: u32 = block.size / 32;
    const TILE: u32 = R * V * block.size;
    const IS_STAGED: bool = TILE * u32(sizeof<element_of<I>>) <= 32768;
    shared of_warps: u32[WARPS];
    shared ahead: C[2];
    shared staged: element_of<I>[IS_STAGED ? TILE : 1];
    let n = it.len;
    let tile = u64(block.id.x);
    let start = tile * u64(TILE);
    if (start >= n && tile > 0) return; // there may be fewer elements than the host knew
    let valid = __assume_block(u32(min(n - min(start, n), u64(TILE))));
    let tag = warp.rank == 0 ? __epoch_tag() : 0;
    let local = warp.rank * R * 32 * V + warp.lane * V;
    let mine = start + u64(local);
    let v = __kept_tile<R, V>(it, mine, n, valid == TILE);
    var flags: u32[K];
    comptime if (WAYS == 0) {
        flags[0] = __kept_heads<R, V, TILE>(it, v, mine, local, valid, is_first);
    } else {
        if (valid == TILE) flags = __split_flags<WAYS, R, V, true>(v, local, valid, is_first, is_second);
        else flags = __split_flags<WAYS, R, V, false>(v, local, valid, is_first, is_second);
    }
    // Two counts of a tile are the halves of a word.
    let some = popcount(flags[0]) | (K == 2 ? popcount(flags[K - 1]) << 16 : 0);
    let sum = warp.reduce(some, +);
    if (warp.lane == 0) of_warps[warp.rank] = sum;
    block.sync();
    let own = warp.lane < WARPS ? of_warps[warp.lane] : 0;
    let up_to = warp.inclusive_scan(own, +);
    let (tile_sum, warps_sum) = (warp.shuffle(up_to, WARPS - 1), warp.shuffle(up_to - own, warp.rank));
    var total: u32[K]; // of the tile
    var before: u32[K]; // of the warps before this one
    unroll for (k in 0..K) {
        total[k] = tile_sum >> (16 * k) & 0xffff;
        before[k] = warps_sum >> (16 * k) & 0xffff;
    }
    let is_last = start + u64(TILE) >= n;
    if (thread.rank == 0 && !is_last) {
        var own: C[K];
        unroll for (k in 0..K) own[k] = C(total[k]);
        __put_state(words, tile, own, tag | (tile == 0 ? __PREFIX : __PARTIAL));
    }
    // The places of the thread's elements in the tile: first, second, rest.
    let one = __kept_starts<R, V>(flags[0], before[0]);
    var two: u32[R];
    comptime if (WAYS == 3) two = __kept_starts<R, V>(flags[K - 1], before[K - 1]);
    let both = total[0] + (WAYS == 3 ? total[K - 1] : 0);
    var places: u32[R * V];
    comptime if (WAYS <= 1 && IS_STAGED) {
        unroll for (r in 0..R) {
            var to = address(staged[0]) + one[r];
            unroll for (j in 0..V) {
                if ((flags[0] >> (r * V + j) & 1) == 1) {
                    to[0] = v[r * V + j];
                    to += 1;
                }
            }
        }
    } else {
        unroll for (r in 0..R) {
            let i = local + r * 32 * V;
            var at: u32[3];
            at[0] = one[r];
            at[1] = total[0] + two[r];
            at[2] = both + (i - one[r] - two[r]); // what isn't there comes behind all that is
            unroll for (j in 0..V) {
                let e = r * V + j;
                let is_one = (flags[0] >> e & 1) == 1;
                let is_two = WAYS == 3 && (flags[K - 1] >> e & 1) == 1;
                places[e] = is_one ? at[0] : is_two ? at[1] : at[2];
                comptime if (IS_STAGED) {
                    staged[places[e]] = v[e];
                } else {
                    if (i + j >= valid || (WAYS <= 1 && !is_one)) places[e] = TILE;
                }
                at[0] += u32(is_one);
                at[1] += u32(is_two);
                at[2] = total[0] + both + i + j + 1 - at[0] - at[1]; // each element adds 1 to one of the three
            }
        }
    }
    if (warp.rank == 0) {
        let sum = __counts_before<K>(words, tile, tag, like);
        if (warp.lane == 0) {
            var all = sum;
            unroll for (k in 0..K) {
                ahead[k] = sum[k];
                all[k] += C(total[k]);
            }
            if (is_last) {
                __tell_split(counts, u64(all[0]), u64(all[K - 1]));
                __end_epoch(tag);
            } else if (tile > 0) {
                __put_state(words, tile, all, tag | __PREFIX);
            }
        }
    }
    block.sync();
    let at_one = u64(ahead[0]);
    let at_two = WAYS == 3 ? u64(ahead[1]) : 0u64;
    comptime if (IS_STAGED) {
        __write_kinds<WAYS>(staged, thread.rank, block.size, total[0], both, valid, at_one, at_two, start, first, second, rest);
    } else {
        unroll for (k in 0..R * V) {
            if (places[k] < TILE) __put_split<WAYS>(v[k], places[k], total[0], both, at_one, at_two, start, first, second, rest);
        }
    }
}

// For elements of the second kind, of which only the first last[0].need are wanted: they fill k places.
struct __Ties<O: type, C: type> { to: O; last: C; k: u64; }
fn __put_kept<O: type, C: type, T: type>(second: __Ties<O, C>, i: u64, v: T) {
    let need = second.last[0].need;
    if (i < need) second.to[second.k - need + i] = v;
}
fn __put_kept<O: type, T: type>(to: O, i: u64, v: T) { to[i] = v; }
// Stores what is at place i of an ordered tile.
fn __put_split<const WAYS: u32, T: type, A: type, B: type, O: type>(v: T, i: u32, ones: u32, both: u32, at_one: u64, at_two: u64, start: u64, first: A, second: B, rest: O) {
    comptime if (WAYS <= 1) {
        first[at_one + u64(i)] = v;
    } else {
        if (i < ones) {
            first[at_one + u64(i)] = v;
        } else if (i < both) {
            comptime if (WAYS == 3) __put_kept(second, at_two + u64(i - ones), v);
        } else {
            rest[start - at_one - at_two + u64(i - both)] = v;
        }
    }
}

// The first element that a thread stores of those that go to places at, at + 1, ...: so that each warp's
// lanes write to a multiple of 32 elements and the 31 behind it.
fn __kept_begin(rank: u32, threads: u32, at: u64) -> u32 {
    let shift = u32(at & 31);
    return rank < shift ? rank + threads - shift : rank - shift;
}
// Stores elements from, from + 1, ... of an ordered tile, `count` of them, at places at, at + 1, ...
fn __write_kept<T: type, O: type>(staged: in T[], from: u32, count: u32, rank: u32, threads: u32, at: u64, to: O) {
    unroll(4) for (i in (__kept_begin(rank, threads, at)..count).step(threads)) __put_kept(to, at + u64(i), staged[from + i]);
}
fn __write_kept<T: type>(staged: in T[], from: u32, count: u32, rank: u32, threads: u32, at: u64, to: inout T[]) {
    __write_slice(staged[from..from + count], __kept_begin(rank, threads, at), threads, to[at..at + u64(count)]);
}
fn __write_slice<T: type>(staged: in T[], begin: u32, threads: u32, to: inout T[]) {
    if (begin >= u32(staged.len)) return;
    var (p, q) = (address(staged[begin]), address(to[begin])); // libNVVM would add up 64-bit indices each time
    unroll(4) for (i in (begin..u32(staged.len)).step(threads)) {
        q[0] = p[0];
        p += threads;
        q += threads;
    }
}
// Stores an ordered tile: `ones` of the first kind, those up to `both` of the second, the rest.
fn __write_kinds<const WAYS: u32, T: type, A: type, B: type, O: type>(staged: in T[], rank: u32, threads: u32, ones: u32, both: u32, valid: u32, at_one: u64, at_two: u64, start: u64, first: A, second: B, rest: O) {
    __write_kept(staged, 0, ones, rank, threads, at_one, first);
    comptime if (WAYS == 3) __write_kept(staged, ones, both - ones, rank, threads, at_two, second);
    comptime if (WAYS > 1) __write_kept(staged, both, valid - both, rank, threads, start - at_one - at_two, rest);
}

// All by one thread of the host.
fn __split_serial<const WAYS: u32, I: type, F: fn, G: fn, A: type, B: type, O: type, N: type>(it: I, is_first: F, is_second: G, first: A, second: B, rest: O, counts: N) {
    var ones = 0u64;
    var twos = 0u64;
    for (i in 0..it.len) {
        let v = it[i];
        var is_one = true;
        comptime if (WAYS > 0) is_one = is_first(v);
        else if (i > 0) is_one = !is_first(it[i - 1], v);
        if (is_one) {
            first[ones] = v;
            ones += 1;
        } else {
            var is_two = false;
            comptime if (WAYS == 3) is_two = is_second(v);
            if (is_two) {
                comptime if (WAYS == 3) __put_kept(second, twos, v);
                twos += 1;
            } else {
                comptime if (WAYS > 1) rest[i - ones - twos] = v;
            }
        }
    }
    __tell_split(counts, ones, twos);
}

fn __split_block<const WAYS: u32, E: type>() -> u32 {
    comptime if (WAYS <= 1) return __select_block_of<E>();
    else return __partition_block_of<E>();
}
fn __split_bytes<const WAYS: u32, E: type>() -> u32 {
    comptime if (WAYS <= 1) return __select_bytes_of<E>();
    else return __partition_bytes_of<E>();
}

algorithm device.__split_narrow<const WAYS: u32, I: type, F: fn, G: fn, A: type, B: type, O: type, N: type>(it: I, is_first: F, is_second: G, first: A, second: B, rest: O, counts: N) {
    const K: u64 = WAYS == 3 ? 2 : 1;
    const BLOCK: u32 = __split_block<WAYS, element_of<I>>();
    const ROW = u64(BLOCK) * u64(__kept_items<element_of<I>>());
    const R: u32 = __kept_height_of<__split_bytes<WAYS, element_of<I>>(), element_of<I>>();
    let n = __most(it);
    if (n <= __NARROW) {
        scratch persistent words: u64[K * ceil_div(n, ROW * u64(R))];
        launch __split_tiles<WAYS, R>(block = BLOCK, blocks_per_sm = WAYS <= 1 ? 2 : 3, grid = ceil_div(n, ROW * u64(R)), it, is_first, is_second, first, second, rest, words, counts, 0u32);
    } else {
        scratch persistent words: u64[2 * K * ceil_div(n, ROW * u64(R))];
        launch __split_tiles<WAYS, R>(block = BLOCK, blocks_per_sm = WAYS <= 1 ? 2 : 3, grid = ceil_div(n, ROW * u64(R)), it, is_first, is_second, first, second, rest, words, counts, 0u64);
    }
}

algorithm device.__split_tiles_of<const WAYS: u32, I: type, F: fn, G: fn, A: type, B: type, O: type, N: type>(it: I, is_first: F, is_second: G, first: A, second: B, rest: O, counts: N) {
    comptime if (WAYS == 3) {
        const R: u32 = min(__kept_height<element_of<I>>(), 2);
        let n = __most(it);
        if (n <= 2097152) { // fewer tiles have fewer to look back over
            const THREADS: u32 = sizeof<element_of<I>> <= 8 ? 1024 : 512; // larger ones need more registers
            const WIDE = u64(THREADS * __kept_items<element_of<I>>() * R);
            scratch persistent words: u64[2 * ceil_div(n, WIDE)];
            launch __split_tiles<WAYS, R>(block = THREADS, grid = ceil_div(n, WIDE), it, is_first, is_second, first, second, rest, words, counts, 0u32);
        } else {
            device.__split_narrow<WAYS>(it, is_first, is_second, first, second, rest, counts);
        }
    } else {
        device.__split_narrow<WAYS>(it, is_first, is_second, first, second, rest, counts);
    }
}

// Large data. Spans have the form of device/select_central.ck.
algorithm device.__split_large<const WAYS: u32, T: number, F: fn, G: fn, A: type, B: type, O: type, N: type>(it: in T[], is_first: F, is_second: G, first: A, second: B, rest: O, counts: N) {
    comptime if (__is_large_chip() && WAYS > 0 && (sizeof<T> == 4 || sizeof<T> == 8)) {
        const K: u64 = WAYS == 3 ? 2 : 1;
        const TILE = u64((WAYS == 3 ? 8 : 12) * 32 * 5) * u64(16 / sizeof<T>);
        if (it.len > __LARGE_SELECT && it.len <= __NARROW) {
            scratch persistent sums: u64[K * ceil_div(it.len, TILE)];
            scratch persistent before: u64[K * ceil_div(it.len, TILE)];
            comptime if (WAYS == 3)
                launch __split_central<WAYS, 2, 8, 5, 9, 5>(block = __central_threads<2, 8>(), grid = min(resident, 160), it, is_first, is_second, first, second, rest, sums, before, counts, 0u32);
            else
                launch __split_central<WAYS, 1, 12, 5, 6, 4>(block = __central_threads<1, 12>(), grid = min(resident, 160), it, is_first, is_second, first, second, rest, sums, before, counts, 0u32);
        } else {
            device.__split_tiles_of<WAYS>(it, is_first, is_second, first, second, rest, counts);
        }
    } else {
        device.__split_tiles_of<WAYS>(it, is_first, is_second, first, second, rest, counts);
    }
}
algorithm device.__split_large<const WAYS: u32, I: type, F: fn, G: fn, A: type, B: type, O: type, N: type>(it: I, is_first: F, is_second: G, first: A, second: B, rest: O, counts: N) {
    device.__split_tiles_of<WAYS>(it, is_first, is_second, first, second, rest, counts);
}

algorithm device.__split<const WAYS: u32, I: type, F: fn, G: fn, A: type, B: type, O: type, N: type>(it: I, is_first: F, is_second: G, first: A, second: B, rest: O, counts: N) {
    const K: u64 = WAYS == 3 ? 2 : 1;
    const BLOCK: u32 = WAYS == 2 ? 256 : 512;
    const SMALL: u32 = WAYS != 2 || __kept_height<element_of<I>>() == 1 ? 1 : 2;
    const TILE = u64(BLOCK * SMALL) * u64(__kept_items<element_of<I>>());
    let n = __most(it);
    comptime if (__is_serial()) {
        launch __split_serial<WAYS>(block = 1, grid = 1, it, is_first, is_second, first, second, rest, counts);
    } else if (n <= __SMALL_SELECT) {
        scratch persistent words: u64[K * ceil_div(n, TILE)];
        launch __split_tiles<WAYS, SMALL>(block = BLOCK, grid = max(1, ceil_div(n, TILE)), it, is_first, is_second, first, second, rest, words, counts, 0u32);
    } else {
        device.__split_large<WAYS>(it, is_first, is_second, first, second, rest, counts);
    }
}

// Parts of one span: by a cooperative launch.
fn __select_step<I: type, F: fn, O: type>(it: I, keep: F, to: O, kept: out u64[]) {
    let k = grid.select(it, keep, to);
    if (__step_rank() == 0) kept[0] = k;
}

algorithm device.select<I: type, F: fn, O: type>(it: I, keep: F, to: O) -> u64 {
    static_assert(sizeof(__is_answer(keep(it[0u64]))) == 1, "");
    scratch result kept: u64[1];
    __apart(it, keep, to);
    if (__shares(it, to)) {
        launch __select_step(block = 256, grid = resident, it, keep, to, kept);
    }
    if (__shares_none(it, to)) {
        device.__split<1>(it, keep, keep, to, to, to, kept);
    }
    return kept[0];
}

fn __is_set(flag: bool) -> bool = flag;
fn __is_set<T: number>(flag: T) -> bool = flag != 0;
algorithm device.select_flagged<I: type, X: type, O: type>(it: I, flags: X, to: O) -> u64 {
    scratch result kept: u64[1];
    let pairs = zip(it, flags);
    let items = to.map_store(|p| p[0]);
    let keep = |p| __is_set(p[1]);
    __apart(pairs, items);
    __fits(__room(flags), it.len, "'flags'");
    device.__split<1>(pairs, keep, keep, items, items, items, kept);
    return kept[0];
}

algorithm device.partition<I: type, F: fn, A: type, O: type>(it: I, is_first: F, first: A, rest: O) -> u64 {
    static_assert(sizeof(__is_answer(is_first(it[0u64]))) == 1, "");
    scratch result count: u64[1];
    let items = it.map(|v| v); // spans as well
    let parts = zip(first, rest);
    __apart(items, is_first, parts);
    __apart(parts);
    device.__split<2>(it, is_first, is_first, first, first, rest, count);
    return count[0];
}

algorithm device.partition<I: type, F: fn, G: fn, A: type, B: type, O: type>(it: I, is_first: F, is_second: G, first: A, second: B, rest: O) -> (u64, u64) {
    static_assert(sizeof(__is_answer(is_first(it[0u64]))) == 1, "");
    static_assert(sizeof(__is_answer(is_second(it[0u64]))) == 1, "");
    scratch result counts: (u64, u64)[1];
    let items = it.map(|v| v);
    let parts = zip(first, second, rest);
    __apart(items, is_first, is_second, parts);
    __apart(parts);
    device.__split<3>(it, is_first, is_second, first, second, rest, counts);
    return counts[0];
}
