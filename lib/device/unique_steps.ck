// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/unique_steps.ck - runs of elements that are the same, by launches of kernels.
//
// unique(it, to), unique_by_key(keys, values, keys_to, values_to),
// run_length_encode(it, values, lengths), nontrivial_runs(it, offsets, lengths), in an algorithm; each
// with a last argument `same`, a function of two elements, where they aren't compared with ==
//
//   it, keys      iterators, finite; `values` of unique_by_key is as long as `keys`. What is written has
//                 room for an element of each run
//   offsets       integers, as lengths: a launch is refused if a place or a length may be a number that
//                 their type doesn't have. Lengths go up to the number of elements
//   overlap       what is read and what is written: rejected
//   result        the number of runs. unique: the first element of each run; by key: also its value;
//                 run_length_encode: also how long the run is; nontrivial_runs: of the runs of two
//                 elements or more, where they begin and how long they are
//   launches      1; of nontrivial_runs 3
//   scratch       up to 2^32 elements a word of persistent memory for each tile, or two for lengths
//   steps         a selection of the elements that differ from the one before (device/select_steps.ck).
//                 The length of a run is the difference of two places: the first run that begins in a
//                 tile gives the length of the one that was open, which is the last that began in the
//                 tiles before
//   target        any
//   CUB           DeviceSelect::Unique(x, y, count, n)                unique(x, y)
//                 DeviceSelect::UniqueByKey(k, v, l, w, count, n)     unique_by_key(k, v, l, w)
//                 DeviceRunLengthEncode::Encode(x, y, l, count, n)    run_length_encode(x, y, l)
//                 DeviceRunLengthEncode::NonTrivialRuns(x, o, l, c)   nontrivial_runs(x, o, l)
//   Thrust        unique_copy(x, y, same)                             unique(x, y, same)
//                 unique_by_key_copy(k, v, l, w)                      unique_by_key(k, v, l, w)
//   cuda.compute  unique_by_key                                       unique_by_key(k, v, l, w, same)
//
//   algorithm distinct(n: u64, x: inout i32[n], y: out i32[n]) -> u64 { radix_sort(x); return unique(x, y); }
//   CALL: distinct(x=[2, 1, 2, 2], y=zeros:4)
//   EXPECT: y = [1, 2, 0, 0]
//   EXPECT: result = 2
//
//   algorithm runs(n: u64, x: in u8[n], y: out u8[n], len: out u32[n]) -> u64 = run_length_encode(x, y, len);
//   CALL: runs(x=[7, 7, 7, 1], y=zeros:4, len=zeros:4)
//   EXPECT: y = [7, 1, 0, 0]
//   EXPECT: len = [3, 1, 0, 0]

// Stores a place or a length, in the type of a span's elements.
fn __put_place<T: int>(to: out T[], i: u64, v: u64) { to[i] = T(v); }
fn __put_place<O: type>(to: O, i: u64, v: u64) { __put_stored(to, i, v, __stored(to)); }
fn __put_stored<O: type, T: int>(to: O, i: u64, v: u64, like: T) { to[i] = T(v); }
fn __put_stored<O: type, T: type>(to: O, i: u64, v: u64, like: T) { to[i] = v; }

// The runs that begin in all tiles before this one, and where the last of them begins, plus 1; by one
// warp. All lanes get it.
fn __runs_before<C: int>(words: inout u64[], tile: u64, tag: u32, like: C) -> C[2] {
    var sum: C[2];
    var has_last = false;
    var at = tile; // the tiles from here on are in it
    var is_done = tile == 0;
    while (!is_done) {
        var v: C[2];
        var kind = 0u32;
        if (u64(warp.lane) < at) {
            let (got, what) = __get_state<C[2]>(words, at - 1 - u64(warp.lane), tag);
            v = got;
            kind = what;
        }
        let ready = warp.ballot(kind != 0);
        let whole = warp.ballot(kind == __PREFIX);
        let run = ready == ~0u32 ? 32u32 : ctz(~ready); // tiles without a gap
        let stop = whole == 0 ? 32u32 : ctz(whole);
        let count = min(run, stop + 1);
        if (warp.lane < count) sum[0] += v[0];
        let begins = warp.ballot(warp.lane < count && v[0] > C(0));
        if (!has_last && begins != 0) {
            sum[1] = warp.shuffle(v[1], ctz(begins));
            has_last = true;
        }
        is_done = stop < run;
        at -= u64(count);
        if (count == 0) thread.yield();
    }
    sum[0] = warp.reduce(sum[0], +);
    return sum;
}

fn __run_tiles<const R: u32, C: int, I: type, F: fn, A: type, O: type>(it: I, same: F, values: A, lengths: O, words: inout u64[], runs: out u64[], like: C) {
    const V: u32 = __kept_items<element_of<I>>();
    const WARPS: u32 = block.size / 32;
    const TILE: u32 = R * V * block.size;
    const IS_STAGED: bool = TILE * u32(sizeof<element_of<I>>) <= 32768;
    shared of_warps: u32[2, WARPS];
    shared ahead: C[2];
    shared begins: u16[TILE]; // the places of the tile's heads
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
    let flags = __kept_heads<R, V, TILE>(it, v, mine, local, valid, same);
    let top = 31 - clz(flags | 1);
    let newest = flags == 0 ? 0 : local + top / V * 32 * V + top % V + 1; // the place of the last head, plus 1
    let sum = warp.reduce(popcount(flags), +);
    let last = warp.reduce(newest, max);
    if (warp.lane == 0) {
        of_warps[0, warp.rank] = sum;
        of_warps[1, warp.rank] = last;
    }
    block.sync();
    let own = warp.lane < WARPS ? of_warps[0, warp.lane] : 0;
    let up_to = warp.inclusive_scan(own, +);
    let total = warp.shuffle(up_to, WARPS - 1);
    let before = warp.shuffle(up_to - own, warp.rank);
    let latest = warp.reduce(warp.lane < WARPS ? of_warps[1, warp.lane] : 0, max);
    let is_last = start + u64(TILE) >= n;
    if (thread.rank == 0 && !is_last) {
        var told: C[2];
        told[0] = C(total);
        told[1] = total > 0 ? C(start + u64(latest)) : C(0);
        __put_state(words, tile, told, tag | (tile == 0 ? __PREFIX : __PARTIAL));
    }
    let ranks = __kept_ranks<R, V>(flags, before);
    unroll for (r in 0..R) {
        unroll for (j in 0..V) {
            if ((flags >> (r * V + j) & 1) == 1) {
                begins[ranks[r * V + j]] = u16(local + r * 32 * V + j);
                comptime if (IS_STAGED) staged[ranks[r * V + j]] = v[r * V + j];
            }
        }
    }
    if (warp.rank == 0) {
        let sum = __runs_before(words, tile, tag, like);
        if (warp.lane == 0) {
            ahead[0] = sum[0];
            ahead[1] = sum[1];
            var all: C[2];
            all[0] = sum[0] + C(total);
            all[1] = total > 0 ? C(start + u64(latest)) : sum[1];
            if (is_last) {
                if (n > 0) __put_place(lengths, u64(all[0]) - 1, n + 1 - u64(all[1]));
                runs[0] = u64(all[0]);
                __end_epoch(tag);
            } else if (tile > 0) {
                __put_state(words, tile, all, tag | __PREFIX);
            }
        }
    }
    block.sync();
    let at = u64(ahead[0]);
    comptime if (!IS_STAGED) {
        unroll for (k in 0..R * V) {
            if ((flags >> k & 1) == 1) values[at + u64(ranks[k])] = v[k];
        }
    }
    for (i in (thread.rank..total).step(block.size)) {
        comptime if (IS_STAGED) values[at + u64(i)] = staged[i];
        let begin = u32(begins[i]);
        if (i > 0) __put_place(lengths, at + u64(i) - 1, u64(begin - u32(begins[i - 1])));
        else if (at > 0) __put_place(lengths, at - 1, start + u64(begin) + 1 - u64(ahead[1]));
    }
}

// All by one thread of the host.
fn __runs_serial<I: type, F: fn, A: type, O: type>(it: I, same: F, values: A, lengths: O, runs: out u64[]) {
    let n = it.len;
    var count = 0u64;
    var begin = 0u64;
    for (i in 0..n) {
        var is_head = i == 0;
        if (i > 0) is_head = !same(it[i - 1], it[i]);
        if (is_head) {
            if (i > 0) __put_place(lengths, count - 1, i - begin);
            values[count] = it[i];
            begin = i;
            count += 1;
        }
    }
    if (n > 0) __put_place(lengths, count - 1, n - begin);
    runs[0] = count;
}

// Can spans of numbers of these sizes go through central scanners?
fn __has_runs_central<const SIZE: u32, const OTHER: u32>() -> bool =
    __is_large_chip() && (SIZE == 4 || SIZE == 8) && (OTHER == 0 || OTHER == 4 || OTHER == 8);

algorithm device.__unique_large<K: number, O: type, F: fn, R: type>(it: in K[], to: O, same: F, runs: R) {
    comptime if (__has_runs_central<sizeof<K>, 0>()) {
        const N: u32 = 80 / u32(sizeof<K>);
        if (it.len > __LARGE_SELECT && it.len <= __NARROW) {
            scratch persistent sums: u64[ceil_div(it.len, 384 * u64(N))];
            scratch persistent before: u64[ceil_div(it.len, 384 * u64(N))];
            launch __runs_central<1, 12, N, 6, 4, false, false>(block = __central_threads<1, 12>(), grid = min(resident, 160), it, it, same, to, to, sums, before, runs);
        } else {
            device.__split<0>(it, same, same, to, to, to, runs);
        }
    } else {
        device.__split<0>(it, same, same, to, to, to, runs);
    }
}
algorithm device.__unique_large<I: type, O: type, F: fn, R: type>(it: I, to: O, same: F, runs: R) {
    device.__split<0>(it, same, same, to, to, to, runs);
}

algorithm device.unique<I: type, O: type, F: fn>(it: I, to: O, same: F) -> u64 {
    static_assert(sizeof(__is_same(same(it[0u64], it[0u64]))) == 1, "");
    scratch result runs: u64[1];
    let items = it.map(|v| v); // spans as well
    let firsts = to.map_store(|v| v);
    __apart(items, same, firsts);
    device.__unique_large(it, to, same, runs);
    return runs[0];
}
algorithm device.unique<I: type, O: type>(it: I, to: O) -> u64 = device.unique(it, to, |a, b| a == b);

algorithm device.__unique_pairs<I: type, X: type, A: type, O: type, F: fn, R: type>(keys: I, values: X, keys_to: A, values_to: O, same: F, runs: R) {
    let firsts = zip(keys_to, values_to);
    let same_keys = |a, b| same(a[0], b[0]);
    device.__split<0>(zip(keys, values), same_keys, same_keys, firsts, firsts, firsts, runs);
}
algorithm device.__unique_pairs_large<K: number, T: number, A: type, O: type, F: fn, R: type>(keys: in K[], values: in T[], keys_to: A, values_to: O, same: F, runs: R) {
    comptime if (__has_runs_central<sizeof<K>, sizeof<T>>()) {
        const N: u32 = 96 / u32(sizeof<K> + sizeof<T>) / 2 * 2;
        if (keys.len > __LARGE_SELECT && keys.len <= __NARROW) {
            scratch persistent sums: u64[ceil_div(keys.len, 256 * u64(N))];
            scratch persistent before: u64[ceil_div(keys.len, 256 * u64(N))];
            launch __runs_central<2, 8, N, 8, 5, true, false>(block = __central_threads<2, 8>(), grid = min(resident, 160), keys, values, same, keys_to, values_to, sums, before, runs);
        } else {
            device.__unique_pairs(keys, values, keys_to, values_to, same, runs);
        }
    } else {
        device.__unique_pairs(keys, values, keys_to, values_to, same, runs);
    }
}
algorithm device.__unique_pairs_large<I: type, X: type, A: type, O: type, F: fn, R: type>(keys: I, values: X, keys_to: A, values_to: O, same: F, runs: R) {
    device.__unique_pairs(keys, values, keys_to, values_to, same, runs);
}

algorithm device.unique_by_key<I: type, X: type, A: type, O: type, F: fn>(keys: I, values: X, keys_to: A, values_to: O, same: F) -> u64 {
    static_assert(sizeof(__is_same(same(keys[0u64], keys[0u64]))) == 1, "");
    scratch result runs: u64[1];
    let pairs = zip(keys, values);
    let firsts = zip(keys_to, values_to);
    __apart(pairs, same, firsts);
    __apart(firsts);
    __fits(__room(values), keys.len, "'values'");
    device.__unique_pairs_large(keys, values, keys_to, values_to, same, runs);
    return runs[0];
}
algorithm device.unique_by_key<I: type, X: type, A: type, O: type>(keys: I, values: X, keys_to: A, values_to: O) -> u64 =
    device.unique_by_key(keys, values, keys_to, values_to, |a, b| a == b);

algorithm device.__encode_tiles<I: type, A: type, O: type, F: fn, N: type>(it: I, values: A, lengths: O, same: F, runs: N) {
    const BLOCK: u32 = __run_block_of<element_of<I>>();
    const ROW = u64(BLOCK) * u64(__kept_items<element_of<I>>());
    const R: u32 = __kept_height_of<__run_bytes_of<element_of<I>>(), element_of<I>>();
    const FEW: u32 = min(R, 2);
    const THREADS: u32 = sizeof<element_of<I>> <= 8 ? 1024 : 512; // larger ones need more registers
    const WIDE = u64(THREADS * __kept_items<element_of<I>>() * FEW);
    let n = __most(it);
    if (n <= 2097152) { // fewer tiles have fewer to look back over
        scratch persistent words: u64[2 * ceil_div(n, WIDE)];
        launch __run_tiles<FEW>(block = THREADS, grid = ceil_div(n, WIDE), it, same, values, lengths, words, runs, 0u32);
    } else if (n < __NARROW) {
        scratch persistent words: u64[2 * ceil_div(n, ROW * u64(R))];
        launch __run_tiles<R>(block = BLOCK, grid = ceil_div(n, ROW * u64(R)), it, same, values, lengths, words, runs, 0u32);
    } else {
        scratch persistent words: u64[4 * ceil_div(n, ROW * u64(R))];
        launch __run_tiles<R>(block = BLOCK, grid = ceil_div(n, ROW * u64(R)), it, same, values, lengths, words, runs, 0u64);
    }
}
algorithm device.__encode_large<K: number, A: type, O: type, F: fn, R: type>(it: in K[], values: A, lengths: O, same: F, runs: R) {
    comptime if (__has_runs_central<sizeof<K>, 0>()) {
        const N: u32 = 80 / u32(sizeof<K>);
        if (it.len > __LARGE_SELECT && it.len < __NARROW) {
            scratch persistent sums: u64[2 * ceil_div(it.len, 384 * u64(N))];
            scratch persistent before: u64[2 * ceil_div(it.len, 384 * u64(N))];
            launch __runs_central<1, 12, N, 6, 4, false, true>(block = __central_threads<1, 12>(), grid = min(resident, 160), it, it, same, values, lengths, sums, before, runs);
        } else {
            device.__encode_tiles(it, values, lengths, same, runs);
        }
    } else {
        device.__encode_tiles(it, values, lengths, same, runs);
    }
}
algorithm device.__encode_large<I: type, A: type, O: type, F: fn, N: type>(it: I, values: A, lengths: O, same: F, runs: N) {
    device.__encode_tiles(it, values, lengths, same, runs);
}

algorithm device.run_length_encode<I: type, A: type, O: type, F: fn>(it: I, values: A, lengths: O, same: F) -> u64 {
    static_assert(sizeof(__is_same(same(it[0u64], it[0u64]))) == 1, "");
    scratch result runs: u64[1];
    let items = it.map(|v| v);
    let parts = zip(values, lengths);
    __apart(items, same, parts);
    __apart(parts);
    __stores(__number_of(lengths), it.len, __most(it), "'lengths'");
    const TILE = 512 * u64(__kept_items<element_of<I>>());
    let n = __most(it);
    comptime if (__is_serial()) {
        launch __runs_serial(block = 1, grid = 1, it, same, values, lengths, runs);
    } else if (n <= __SMALL_SELECT) {
        scratch persistent words: u64[2 * ceil_div(n, TILE)];
        launch __run_tiles<1>(block = 512, grid = max(1, ceil_div(n, TILE)), it, same, values, lengths, words, runs, 0u32);
    } else {
        device.__encode_large(it, values, lengths, same, runs);
    }
    return runs[0];
}
algorithm device.run_length_encode<I: type, A: type, O: type>(it: I, values: A, lengths: O) -> u64 =
    device.run_length_encode(it, values, lengths, |a, b| a == b);

// The begin of run i becomes a length with the place of its last element.
fn __put_run<A: type, O: type>(offsets: A, lengths: O, begins: in u64[], ends: in u64[], runs: in u64[]) {
    for (i in grid.stride(runs[0])) {
        __put_place(offsets, i, begins[i]);
        __put_place(lengths, i, ends[i] + 1 - begins[i]);
    }
}

algorithm device.nontrivial_runs<I: type, A: type, O: type, F: fn>(it: I, offsets: A, lengths: O, same: F) -> u64 {
    static_assert(sizeof(__is_same(same(it[0u64], it[0u64]))) == 1, "");
    scratch result runs: u64[1];
    let items = it.enumerate();
    let parts = zip(offsets, lengths);
    __apart(items, same, parts);
    __apart(parts);
    let n = __most(it);
    __stores(__number_of(offsets), max(it.len, 2) - 2, max(n, 2) - 2, "'offsets'");
    __stores(__number_of(lengths), it.len, n, "'lengths'");
    scratch begins: u64[n / 2];
    scratch ends: u64[n / 2];
    scratch again: u64[1];
    let to_begins = begins.map_store(|p| p[0]);
    let to_ends = ends.map_store(|p| p[0]);
    let is_begin = |p| p[0] + 1 < it.len && same(p[1], it[p[0] + 1]) && (p[0] == 0 || !same(it[max(p[0], 1) - 1], p[1]));
    let is_end = |p| p[0] > 0 && same(it[max(p[0], 1) - 1], p[1]) && (p[0] + 1 >= it.len || !same(p[1], it[min(p[0] + 1, it.len - 1)]));
    device.__split<1>(items, is_begin, is_begin, to_begins, to_begins, to_begins, runs);
    device.__split<1>(items, is_end, is_end, to_ends, to_ends, to_ends, again);
    launch __put_run(block = 256, grid = min(resident, ceil_div(n, 512)), offsets, lengths, begins, ends, runs);
    return runs[0];
}
algorithm device.nontrivial_runs<I: type, A: type, O: type>(it: I, offsets: A, lengths: O) -> u64 =
    device.nontrivial_runs(it, offsets, lengths, |a, b| a == b);
