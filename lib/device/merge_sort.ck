// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/merge_sort.ck - sorts a sequence by any order, by launches of kernels.
//
// In an algorithm:
//   merge_sort(it, less)       it is sorted where it is
//   merge_sort(it, to, less)   `to` gets the sorted elements; it stays as it is
//
//   it, to        iterators of any type; `it` is readable, and writable without `to`; `to` has room
//                 for as many. The greatest length that `it` can have is known to the host
//   overlap       it, if it is sorted in place: each of its elements is reached in one way alone
//                 it or less and what is written: rejected
//   less          less(a, b): a comes before b; a strict weak order. Operator: <
//   result        sorted, stable
//   launches      1, and 1 for every doubling of the length over a tile: 8704 elements of 4 bytes, 4608
//                 of 8, 1792 of 12; of spans of more than 2^21 elements 1 for every quadrupling over 16896
//                 of 4, 12800 of 8, 4352 of 12; of an order by keys, those of radix_sort
//   scratch       if there is more than a tile, a copy of the elements; two if what is written is no
//                 span
//   steps         blocks sort tiles in shared memory: each thread some elements in registers, then
//                 threads merge pairs of runs. Each further launch merges pairs of runs; a block takes
//                 adjacent tiles of the result, and first searches where all of them begin in both
//                 runs. The runs move to and fro between two places, and begin in the one from which
//                 the last launch writes to the result. More than 2^21 elements of spans are merged
//                 by fours: device/merge_four.ck
//   keys          an order that compares keys, as < and |a, b| a.age > b.age do, is found to be one; also
//                 one that compares a second key where the first ones are equal, as
//                 |a, b| a.x != b.x ? a.x < b.x : a.y < b.y. If these are numbers of at most 8 bytes in
//                 all, and the result is a span or in place, it is sorted as by radix_sort, whose result
//                 is the same
//   target        any
//   CUB           DeviceMergeSort::SortKeys(x, n, less), StableSortKeys   merge_sort(x, less)
//                 DeviceMergeSort::SortKeysCopy(x, y, n, less)            merge_sort(x, y, less)
//                 DeviceMergeSort::SortPairs(k, v, n, less)               merge_sort(zip(k, v), |a, b| less(a[0], b[0]))
//   Thrust        sort, stable_sort, sort_by_key                          merge_sort(x, less)
//   cuda.compute  merge_sort                                              merge_sort(x, less)
//
//   algorithm falling(n: u64, x: inout i32[n]) { merge_sort(x, |a, b| a > b); }
//   CALL: falling(x=[3, 1, 2])
//   EXPECT: x = [3, 2, 1]
//
// Five tiles, three rounds of merges; x is what is written, y scratch memory. In the first round a pair
// of runs has 4 tiles of 4352 elements:
//
//     sort      y | 8704 | 8704 | 8704 | 8704 | rest |
//     round 0   x |t  t   t   t |t  t   t   t | t  t |
//     round 1   y |             run           | rest |
//     round 2   x |                run               |

// ---- a tile ----

// Sorts `count` elements, of which a thread has N. Returns where they are: in `one` or in `two`.
// BY_WARP: those of a warp, which has memory of its own.
fn __sort_tile<const N: u32, const BY_WARP: bool, T: type, F: fn>(one: ptr<T, shared>, two: ptr<T, shared>, count: u32, less: F) -> ptr<T, shared> {
    let rank = BY_WARP ? warp.lane : thread.rank;
    let first = rank * N;
    let mine = first < count ? min(count - first, N) : 0;
    if (mine > 0) {
        var keys: T[N];
        unroll for (k in 0..N) keys[k] = one[first + min(k, mine - 1)];
        if (mine < N) {
            // the greatest one fills the rest
            var most = keys[0];
            unroll for (k in 1..N) {
                if (__is_less(less(most, keys[k]))) most = keys[k];
            }
            unroll for (k in 1..N) keys[k] = k < mine ? keys[k] : most;
        }
        // odd-even transposition sort, two rounds an iteration: stable, and its comparisons are fixed
        unroll(1) for (round in 0..(N + 1) / 2) {
            unroll for (k in 0..N - 1) {
                let i = k < N / 2 ? 2 * k : 2 * (k - N / 2) + 1;
                let (a, b) = (keys[i], keys[i + 1]);
                let is_wrong = __is_less(less(b, a));
                keys[i] = is_wrong ? b : a;
                keys[i + 1] = is_wrong ? a : b;
            }
        }
        unroll for (k in 0..N) {
            if (k < mine) two[first + k] = keys[k];
        }
    }
    var (from, into) = (two, one);
    let threads = ceil_div(count, N);
    unroll(1) for (level in 0..(threads > 1 ? 32 - clz(threads - 1) : 0)) {
        let width = 2u32 << level; // threads of a merge
        comptime if (BY_WARP) {
            warp.sync();
        } else {
            if (width <= 32) warp.sync();
            else block.sync();
        }
        let a = (rank & ~(width - 1)) * N;
        if (mine > 0) __merge_in_tile(from, into, a, min(a + width / 2 * N, count), min(a + width * N, count), first, mine, less);
        let next = from;
        from = into;
        into = next;
    }
    comptime if (BY_WARP) warp.sync();
    else block.sync();
    return from;
}

// Rounds that merge tiles of `most` elements in all to one run.
fn __rounds_of<const TILE: u32>(most: u64) -> u32 {
    let q = ceil_div(most, u64(TILE));
    return q > 1 ? u32(64 - clz(q - 1)) : 0;
}

// The launch behind which `left` rounds follow writes to y if that is odd, else to x; the last one to
// `to` if IS_COPIED.
fn __sort_tiles<const N: u32, const BY_FOURS: bool, const IS_COPIED: bool, T: type, I: type, O: type, F: fn>(it: I, to: O, x: inout T[], y: inout T[], n: u64, most: u64, less: F) {
    const TILE = N * block.size;
    let left = BY_FOURS ? __four_rounds_of<TILE>(most) : __rounds_of<TILE>(most);
    const ROWS = (TILE * u32(sizeof<T>) + 15) / 16;
    shared one: u32x4[ROWS];
    shared two: u32x4[ROWS];
    let lo = u64(block.id.x) * u64(TILE);
    if (lo >= n) return;
    let count = __assume_block(u32(min(n - lo, u64(TILE))));
    let tile = ptr<T, shared>(address(one[0]));
    __start_tile(tile, __memory_of(it), lo, count, __memory_of(it), lo, count);
    pipeline.wait();
    block.sync();
    let sorted = __sort_tile<N, false>(tile, ptr<T, shared>(address(two[0])), count, less);
    comptime if (IS_COPIED) {
        if (left == 0) {
            __put_tile(to, lo, sorted, count);
            return;
        }
    }
    __put_tile(ptr<T, global>(left % 2 == 1 ? address(y[0]) : address(x[0])), lo, sorted, count);
}

// ---- a round of merges ----

fn __merge_round<const N: u32, const TILE: u32, const IS_COPIED: bool, T: type, O: type, F: fn>(to: O, x: inout T[], y: inout T[], n: u64, most: u64, round: u32, less: F) {
    let left = __rounds_of<TILE>(most) - 1 - round;
    let (at_x, at_y) = (ptr<T, global>(address(x[0])), ptr<T, global>(address(y[0])));
    let from = left % 2 == 1 ? at_x : at_y;
    let into = left % 2 == 1 ? at_y : at_x;
    let run = u64(TILE) << u64(round);
    let items = __merge_share<T>(most);
    let (first, last) = __merge_part_of(most, n, items);
    if (first >= last) return;
    comptime if (IS_COPIED) __merge_range<N>(from, from, 0, __Either(to, into, left == 0), 0, n, run, 2 * run, first, last, items, less);
    else __merge_range<N>(from, from, 0, into, 0, n, run, 2 * run, first, last, items, less);
}

// ---- the plan ----

const __LARGE_MERGE: u64 = 2097152;

// The number of rounds that merge q tiles to one run.
fn __merge_rounds(q: u64) -> u32 = __merge_rounds_of(q, 1) + __merge_rounds_of(q, 256) + __merge_rounds_of(q, 65536) + __merge_rounds_of(q, 16777216);
fn __merge_rounds_of(q: u64, k: u64) -> u32 =
    u32(q > k) + u32(q > 2 * k) + u32(q > 4 * k) + u32(q > 8 * k) + u32(q > 16 * k) + u32(q > 32 * k) + u32(q > 64 * k) + u32(q > 128 * k);

// Elements `first` to first + n - 1 by one thread of the host: sorted pieces of 16 elements, then merges
// to and fro. The last one writes to x.
fn __merge_sort_serial<const IS_COPIED: bool, T: type, I: type, O: type, F: fn>(it: I, to: O, x: inout T[], y: inout T[], first: u64, n: u64, less: F) {
    var run = 16u64;
    var to_x = true;
    while (run < n) {
        run *= 2;
        to_x = !to_x;
    }
    let place = to_x ? x : y;
    for (i in 0..n) {
        let v = it[first + i];
        var at = first + i;
        while ((at - first) % 16 > 0 && __is_less(less(v, place[at - 1]))) {
            place[at] = place[at - 1];
            at -= 1;
        }
        place[at] = v;
    }
    run = 16;
    while (run < n) {
        to_x = !to_x;
        let (from, into) = (to_x ? y : x, to_x ? x : y);
        var base = first;
        while (base < first + n) {
            let (middle, end) = (min(base + run, first + n), min(base + 2 * run, first + n));
            var (i, j) = (base, middle);
            for (at in base..end) {
                let is_right = j < end && (i >= middle || __is_less(less(from[j], from[i])));
                into[at] = from[is_right ? j : i];
                if (is_right) j += 1;
                else i += 1;
            }
            base = end;
        }
        run *= 2;
    }
    comptime if (IS_COPIED) {
        for (i in first..first + n) to[i] = x[i];
    }
}

algorithm device.__merge_by_tiles<const IS_COPIED: bool, O: type, T: type, L: type, F: fn>(to: O, x: inout T[], y: inout T[], len: L, n: u64, less: F) {
    const N: u32 = __merge_items<T>();
    const THREADS: u32 = __sort_threads<T>();
    const MERGERS: u32 = __merge_threads<T>();
    for (round in 0..__merge_rounds(ceil_div(n, u64(N * THREADS)))) {
        launch __merge_round<N, N * THREADS, IS_COPIED>(block = MERGERS, blocks_per_sm = __merge_blocks<T>(), grid = min(ceil_div(n, u64(MERGERS * __merge_share<T>(n))), u64(resident)),
            to, x, y, len, n, u32(round), less);
    }
}
algorithm device.__merge_sort<const IS_COPIED: bool, I: type, O: type, T: type, F: fn>(it: I, to: O, x: inout T[], y: inout T[], less: F) {
    let n = __most(it);
    const N: u32 = __merge_items<T>();
    const THREADS: u32 = __sort_threads<T>();
    const TILE = u64(N * THREADS);
    comptime if (__is_serial()) {
        launch __merge_sort_serial<IS_COPIED>(block = 1, grid = 1, it, to, x, y, 0u64, it.len, less);
    } else comptime if (!IS_COPIED && __has_four<T>()) {
        const LARGE: u32 = __large_items<T>() * __large_threads<T>();
        if (n > __LARGE_MERGE) {
            launch __sort_tiles<__large_items<T>(), true, IS_COPIED>(block = __large_threads<T>(), grid = ceil_div(n, u64(LARGE)), it, to, x, y, it.len, n, less);
            for (round in 0..(__merge_rounds(ceil_div(n, u64(LARGE))) + 1) / 2) {
                launch __merge_four<__four_items<T>(), __FOUR_WORKERS, LARGE>(block = 32 * __FOUR_START, grid = u64(resident), x, y, it.len, n, u32(round), less);
            }
        } else {
            launch __sort_tiles<N, false, IS_COPIED>(block = THREADS, grid = ceil_div(n, TILE), it, to, x, y, it.len, n, less);
            device.__merge_by_tiles<IS_COPIED>(to, x, y, it.len, n, less);
        }
    } else {
        launch __sort_tiles<N, false, IS_COPIED>(block = THREADS, grid = ceil_div(n, TILE), it, to, x, y, it.len, n, less);
        device.__merge_by_tiles<IS_COPIED>(to, x, y, it.len, n, less);
    }
}
// Memory for n elements, if they are more than a tile.
fn __merge_room<T: type>(n: u64) -> u64 = __is_serial() || n > min(u64(__merge_items<T>() * __sort_threads<T>()), __LARGE_MERGE) ? n : 0;
algorithm device.__merge_all_to<T: type, I: type, F: fn>(it: I, to: inout T[], less: F) {
    scratch other: T[__merge_room<T>(__most(it))];
    device.__merge_sort<false>(it, to, to, other, less);
}
algorithm device.__merge_all_to<I: type, O: type, F: fn>(it: I, to: O, less: F) {
    scratch one: element_of<I>[__merge_room<element_of<I>>(__most(it))];
    scratch two: element_of<I>[__merge_room<element_of<I>>(__most(it))];
    device.__merge_sort<true>(it, to, one, two, less);
}

// ---- orders that compare keys ----

// As many bytes as the key has, and one: numbers, or a tuple of them.
fn __key_room<K: number>(k: K) -> u8[1 + sizeof<K>] { var r: u8[1 + sizeof<K>]; return r; }
fn __key_room<A: number, B: number>(k: (A, B)) -> u8[1 + sizeof<A> + sizeof<B>] { var r: u8[1 + sizeof<A> + sizeof<B>]; return r; }
fn __key_room<A: number, B: number, C: number>(k: (A, B, C)) -> u8[1 + sizeof<A> + sizeof<B> + sizeof<C>] { var r: u8[1 + sizeof<A> + sizeof<B> + sizeof<C>]; return r; }
fn __key_room<A: number, B: number, C: number, D: number>(k: (A, B, C, D)) -> u8[1 + sizeof<A> + sizeof<B> + sizeof<C> + sizeof<D>] { var r: u8[1 + sizeof<A> + sizeof<B> + sizeof<C> + sizeof<D>]; return r; }
fn __key_room<K: type>(k: K) -> u8[1] { var r: u8[1]; return r; }

// A pass of a radix sort moves what a round of merges moves. So up to 8 passes are fewer than the rounds
// behind tiles, for lengths at which that matters. Radix sort also reads what it has written.
algorithm device.__sort_by_key<const IN_PLACE: bool, I: type, O: type, F: fn>(it: I, to: O, less: F) {
    const ROOM = u32(sizeof(__key_room(__sort_key(less, __zero(it[0u64])))));
    comptime if (ROOM > 1 && ROOM <= 9 && sizeof<element_of<I>> <= 400)
        device.__radix_sort<false, IN_PLACE>(it, __None(0), to, __None(0), |v| __sort_key(less, v), __order(less) == 2, 0u32, ~0u32, 0u8);
    else device.__merge_all_to(it, to, less);
}
algorithm device.__merge_sort_to<I: type, T: type, F: fn>(it: I, to: inout T[], less: F) {
    comptime if (__order(less) > 0) device.__sort_by_key<false>(it, to, less);
    else device.__merge_all_to(it, to, less);
}
algorithm device.__merge_sort_to<I: type, O: type, F: fn>(it: I, to: O, less: F) { device.__merge_all_to(it, to, less); }
algorithm device.__merge_sort_own<I: type, F: fn>(it: I, less: F) {
    comptime if (__order(less) > 0) device.__sort_by_key<true>(it, it, less);
    else device.__merge_all_to(it, it, less);
}
algorithm device.merge_sort<I: type, F: fn>(it: I, less: F) {
    __apart(it);
    __apart(less, it);
    device.__merge_sort_own(it, less);
}
algorithm device.merge_sort<I: type, O: type, F: fn>(it: I, to: O, less: F) {
    let elements = take(it, __finite(__most(it))); // spans of one parameter count as overlapping as well
    __apart(elements, less, to);
    __fits(__room(to), it.len, "'to'");
    device.__merge_sort_to(it, to, less);
}
