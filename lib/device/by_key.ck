// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/by_key.ck - reductions and scans of runs of equal keys, by launches of kernels.
//
// reduce_by_key(keys, values, f, keys_to, values_to), inclusive_scan_by_key(keys, values, to, f),
// exclusive_scan_by_key(keys, values, to, f, init), in an algorithm; each with a last argument `same`,
// a function of two keys, where they aren't compared with ==
//
//   keys, values  iterators; `keys` is finite, `values` is at least as long. What the reduction writes has
//                 room for an element of each run, what a scan writes for as many as there are keys
//   overlap       of inclusive scans, `values` and `to`: allowed for spans that are the same; else what is read
//                 and what is written: rejected
//   f             associative, for floats as far as rounding goes; it need not be commutative
//   result        reduce_by_key: the number of runs; the first key of each run, and its values reduced.
//                 Scans: what a scan of each run alone gives
//   launches      1
//   scratch       words of persistent memory for each tile: one for the number of runs (two above 2^32 - 1
//                 keys), and one for each 4 bytes of a value; twice as many with central scanners
//   steps         a scan of pairs by look-back, of large spans by central scanners (device/runs_central.ck):
//                 how many runs begin, and the open run's value. Scans by key are scans of pairs of whether
//                 a run begins and that value (device/scan.ck). The reduction puts a run's value in
//                 order in shared memory where the next run begins, while one warp waits for what is
//                 before the tile, and the block writes them to adjacent places
//   target        any
//   CUB           DeviceReduce::ReduceByKey(k, l, x, y, count, f, n)  reduce_by_key(k, x, f, l, y)
//                 DeviceScan::InclusiveSumByKey(k, x, y, n)           inclusive_scan_by_key(k, x, y, +)
//                 DeviceScan::InclusiveScanByKey(k, x, y, f, n)       inclusive_scan_by_key(k, x, y, f)
//                 DeviceScan::ExclusiveSumByKey(k, x, y, n)           exclusive_scan_by_key(k, x, y, +, 0)
//                 DeviceScan::ExclusiveScanByKey(k, x, y, f, i, n)    exclusive_scan_by_key(k, x, y, f, i)
//   Thrust        reduce_by_key(k, x, l, y, same, f)                  reduce_by_key(k, x, f, l, y, same)
//
//   algorithm totals(n: u64, k: in u32[n], x: in f32[n], keys: out u32[n], sums: out f32[n]) -> u64 =
//       reduce_by_key(k, x, +, keys, sums);
//   CALL: totals(k=[4, 4, 9], x=[1, 2, 3], keys=zeros:3, sums=zeros:3)
//   EXPECT: keys = [4, 9, 0]
//   EXPECT: sums = [3, 3, 0]
//
//   algorithm places(n: u64, k: in u32[n], y: out u32[n]) { exclusive_scan_by_key(k, constant(1u32), y, +, 0); }
//   CALL: places(k=[4, 4, 9, 9, 9], y=zeros:5)
//   EXPECT: y = [0, 1, 0, 1, 2]
//
// Behind a key that begins a run, values are reduced anew:
//
//     (a, v) and (b, w) give (a + b, b > 0 ? w : f(v, w))
//
//     key      4 4 9 9 9          the run of 4 ends where that of 9 begins: its value is the open one
//     value    1 2 3 4 5          before that place, 3. The last run's value is the open one at the
//     pair   1,1 1,3 2,3 2,7 2,12     end, 12

const __LARGE_KEYS: u64 = 4194304;

fn __pair_items<K: type, T: type>() -> u32 = __kept_items<(K, T)>();
fn __pair_height<K: type, T: type>() -> u32 = __kept_height_of<__key_bytes_of<(K, T)>(), (K, T)>();
fn __pair_block<K: type, T: type>() -> u32 = __key_block_of<(K, T)>();
fn __pair_words<K: type, T: type>() -> u32 = (u32(sizeof<(K, T)>) + 3) / 4;

// The lanes before this one, back to the last one that has a bit in `cuts`, or to lane 0.
fn __lanes_of_run(cuts: u32) -> u32 = warp.lane - (31 - clz(cuts & ~0u32 >> (31 - warp.lane) | 1));

// Puts a run's value where the next run begins. `before` is the value that is open before the warp's part
// of the tile. Staged values know nothing of the tiles before, and the tile's first element begins a value;
// others have `told`, the one that is open before the tile. IS_FULL: all elements are there. Else the value
// up to element `last` goes to `ending`.
fn __key_values<const R: u32, const V: u32, const IS_FULL: bool, const IS_STAGED: bool, K: type, T: type, S: type, F: fn, A: type, O: type>(key: K[R * V], x: S[R * V], heads: u32, ranks: u32[R * V], open: T[R], cut: bool[R], before: T, local: u32, valid: u32, last: u32, at: u64, told: T, f: F, staged_keys: inout K[], staged: inout T[], ending: inout T[], keys_to: A, values_to: O) {
    unroll for (r in 0..R) {
        let vector = local + r * 32 * V;
        if (IS_FULL || vector < valid) {
            var run = before;
            if (r > 0 || warp.lane > 0) run = cut[r] ? open[r] : f(before, open[r]);
            unroll for (j in 0..V) {
                let e = r * V + j;
                if (IS_FULL || vector + j < valid) {
                    let is_head = (heads >> e & 1) == 1;
                    if (is_head) {
                        comptime if (IS_STAGED) {
                            staged_keys[ranks[e]] = key[e];
                            staged[ranks[e]] = run;
                        } else {
                            let to = at + u64(ranks[e]);
                            keys_to[to] = key[e];
                            if (ranks[e] == 0) run = vector + j == 0 ? told : f(told, run);
                            if (to > 0) values_to[to - 1] = run;
                        }
                    }
                    if (is_head || (e == 0 && vector == 0)) run = x[e];
                    else run = f(run, __as<T>(x[e]));
                    if (!IS_FULL && vector + j == last) ending[0] = run;
                }
            }
        }
    }
}

fn __key_tiles<const R: u32, C: int, I: type, X: type, F: fn, G: fn, A: type, O: type, T: type>(keys: I, values: X, f: F, same: G, keys_to: A, values_to: O, words: inout u64[], runs: out u64[], like: C, zero: T) {
    const V: u32 = __pair_items<element_of<I>, T>();
    const WARPS: u32 = block.size / 32;
    const TILE: u32 = R * V * block.size;
    const IS_STAGED: bool = TILE * u32(sizeof<element_of<I>> + sizeof<T>) <= min(__shared_most() - 2048, 66000);
    shared counts: u32[WARPS];    // of a warp: the runs that begin
    shared has_cuts: bool[WARPS]; // does one begin?
    shared opens: T[WARPS];       // the open run's value at the end
    shared ahead: C[2];           // the runs that begin in the tiles before, and in this one as well
    shared told: T[1];            // the value that is open where the tile begins
    shared ending: T[1];          // the one that is open behind the last of all elements
    shared staged_keys: element_of<I>[IS_STAGED ? TILE : 1];
    shared staged: T[IS_STAGED ? TILE : 1];
    let n = keys.len;
    let tile = u64(block.id.x);
    let start = tile * u64(TILE);
    if (start >= n && tile > 0) return; // there may be fewer elements than the host knew
    let valid = __assume_block(u32(min(n - min(start, n), u64(TILE))));
    let tag = warp.rank == 0 ? __epoch_tag() : 0;
    let local = warp.rank * R * 32 * V + warp.lane * V;
    let mine = start + u64(local);
    let key = __kept_tile<R, V>(keys, mine, n, valid == TILE);
    let x = __kept_tile<R, V>(values, mine, n, valid == TILE);
    let heads = __kept_heads<R, V, TILE>(keys, key, mine, local, valid, same);
    // What isn't there is never given to f: it counts as the begin of a run, and so does the tile's first
    // element, since what is before it isn't known yet.
    var absent = u32(local == 0);
    if (valid < TILE) {
        unroll for (r in 0..R) {
            unroll for (j in 0..V) absent |= u32(local + r * 32 * V + j >= valid) << (r * V + j);
        }
    }
    let begins = heads | absent;
    const ROW_MASK: u32 = (1u32 << V) - 1;
    var open: T[R];   // the open run's value at the end of the vector; then of all lanes up to it
    var cuts: u32[R]; // the lanes in whose vector a run begins
    unroll for (r in 0..R) {
        open[r] = x[r * V];
        unroll for (j in 1..V) {
            if ((begins >> (r * V + j) & 1) == 1) open[r] = x[r * V + j];
            else open[r] = f(open[r], __as<T>(x[r * V + j]));
        }
        cuts[r] = warp.ballot((begins >> (r * V) & ROW_MASK) != 0);
    }
    var far: u32[R]; // so many lanes before this one are in its run
    unroll for (r in 0..R) far[r] = __lanes_of_run(cuts[r]);
    unroll for (k in 0..5) {
        unroll for (r in 0..R) {
            let left = warp.shuffle_up(open[r], 1u32 << k);
            if (far[r] >= 1u32 << k) open[r] = f(left, open[r]);
        }
    }
    // Rows follow each other. Then `open` is what is before the vector in the warp's part, and `cut`
    // whether a run begins there.
    let before_lane = (1u32 << warp.lane) - 1;
    var cut: bool[R];
    var total: T;
    var total_cut = false;
    unroll for (r in 0..R) {
        let all = warp.shuffle(open[r], 31);
        let left = warp.shuffle_up(open[r], 1);
        let left_cut = (cuts[r] & before_lane) != 0;
        if (r == 0) {
            open[r] = left; // lane 0 has none
            total = all;
        } else {
            if (warp.lane == 0) open[r] = total;
            else open[r] = left_cut ? left : f(total, left);
            total = cuts[r] != 0 ? all : f(total, all);
        }
        cut[r] = total_cut || left_cut;
        total_cut |= cuts[r] != 0;
    }
    let count = warp.reduce(popcount(heads), +);
    if (warp.lane == 0) {
        counts[warp.rank] = count;
        has_cuts[warp.rank] = total_cut;
        opens[warp.rank] = total;
    }
    block.sync();
    let is_last = start + u64(TILE) >= n;
    let join = |a, b| (a[0] + b[0], b[0] > C(0) ? b[1] : f(a[1], b[1]));
    // Each warp adds up what the warps before it have.
    let here = min(warp.lane, WARPS - 1);
    let own = warp.lane < WARPS ? counts[here] : 0;
    var of_warps = opens[here];
    let far_warps = __lanes_of_run(warp.ballot(warp.lane >= WARPS || has_cuts[here]));
    unroll for (k in 0..5) {
        let left = warp.shuffle_up(of_warps, 1u32 << k);
        if (far_warps >= 1u32 << k) of_warps = f(left, of_warps);
    }
    let up_to = warp.inclusive_scan(own, +);
    let in_tile = (C(warp.shuffle(up_to, WARPS - 1)), warp.shuffle(of_warps, WARPS - 1));
    if (warp.rank == 0 && warp.lane == 0 && !is_last) __put_state(words, tile, in_tile, tag | (tile == 0 ? __PREFIX : __PARTIAL));
    let before = warp.shuffle(of_warps, max(warp.rank, 1) - 1); // warp 0 has none
    let ranks = __kept_ranks<R, V>(heads, warp.shuffle(up_to - own, warp.rank));
    let last = is_last ? valid - 1 : TILE;
    comptime if (IS_STAGED) {
        if (valid == TILE)
            __key_values<R, V, true, true>(key, x, heads, ranks, open, cut, before, local, valid, TILE, 0, zero, f, staged_keys, staged, ending, keys_to, values_to);
        else
            __key_values<R, V, false, true>(key, x, heads, ranks, open, cut, before, local, valid, last, 0, zero, f, staged_keys, staged, ending, keys_to, values_to);
    }
    if (warp.rank == 0) {
        var runs_ahead = C(0);
        var up_to_end = in_tile;
        if (tile > 0) {
            let all_before = __look_back(words, tile, tag, join, in_tile);
            up_to_end = join(all_before, in_tile);
            if (warp.lane == 0 && !is_last) __put_state(words, tile, up_to_end, tag | __PREFIX);
            if (warp.lane == 0) told[0] = all_before[1];
            runs_ahead = all_before[0];
        }
        if (warp.lane == 0) {
            ahead[0] = runs_ahead;
            ahead[1] = runs_ahead + in_tile[0];
            if (is_last) {
                runs[0] = u64(ahead[1]);
                if (valid == TILE) values_to[u64(ahead[1]) - 1] = up_to_end[1];
                __end_epoch(tag);
            }
        }
    }
    block.sync();
    let (at, all) = (u64(ahead[0]), u64(ahead[1]));
    comptime if (IS_STAGED) {
        for (i in (thread.rank..u32(all - at)).step(block.size)) {
            keys_to[at + u64(i)] = staged_keys[i];
            if (i > 0) values_to[at + u64(i) - 1] = staged[i];
        }
        if (thread.rank == 0 && at > 0 && all > at) values_to[at - 1] = (heads & 1) == 1 ? told[0] : f(told[0], staged[0]);
    } else {
        let before_tile = tile > 0 ? told[0] : zero;
        if (valid == TILE)
            __key_values<R, V, true, false>(key, x, heads, ranks, open, cut, before, local, valid, TILE, at, before_tile, f, staged_keys, staged, ending, keys_to, values_to);
        else
            __key_values<R, V, false, false>(key, x, heads, ranks, open, cut, before, local, valid, last, at, before_tile, f, staged_keys, staged, ending, keys_to, values_to);
        block.sync();
    }
    if (thread.rank == 0 && is_last && valid > 0 && valid < TILE) values_to[all - 1] = all > at ? ending[0] : f(told[0], ending[0]);
}

// All by one thread of the host.
fn __keys_serial<I: type, X: type, F: fn, G: fn, A: type, O: type, T: type>(keys: I, values: X, f: F, same: G, keys_to: A, values_to: O, runs: out u64[], zero: T) {
    var count = 0u64;
    var run = zero;
    for (i in 0..keys.len) {
        var is_head = i == 0;
        if (i > 0) is_head = !same(keys[i - 1], keys[i]);
        if (is_head) {
            if (i > 0) values_to[count - 1] = run;
            keys_to[count] = keys[i];
            run = values[i];
            count += 1;
        } else {
            run = f(run, __as<T>(values[i]));
        }
    }
    if (count > 0) values_to[count - 1] = run;
    runs[0] = count;
}

algorithm device.__key_tiles_of<I: type, X: type, F: fn, A: type, O: type, G: fn, N: type>(keys: I, values: X, f: F, keys_to: A, values_to: O, same: G, runs: N) {
    const W = u64(__pair_words<u32, element_of<X>>());
    const W_LARGE = u64(__pair_words<u64, element_of<X>>());
    const R: u32 = __pair_height<element_of<I>, element_of<X>>();
    const BLOCK: u32 = __pair_block<element_of<I>, element_of<X>>(); // 256: 80 registers, 3 blocks a multiprocessor
    const TILE = u64(BLOCK) * u64(__pair_items<element_of<I>, element_of<X>>()) * u64(R);
    const ROWS: u32 = R == 4 ? 4 : 2 * R;
    const THREADS: u32 = sizeof<element_of<I>> + sizeof<element_of<X>> <= 16 ? 1024 : 512; // larger ones need more registers
    const WIDE = u64(THREADS) * u64(__pair_items<element_of<I>, element_of<X>>()) * u64(ROWS / 2);
    let n = __most(keys);
    let zero = __zero(values[0u64]);
    if (n <= 2097152) { // fewer tiles have fewer to look back over
        scratch persistent words: u64[W * ceil_div(n, WIDE)];
        launch __key_tiles<ROWS / 2>(block = THREADS, grid = ceil_div(n, WIDE), keys, values, f, same, keys_to, values_to, words, runs, 0u32, zero);
    } else if (n <= __NARROW) {
        scratch persistent words: u64[W * ceil_div(n, TILE)];
        launch __key_tiles<R>(block = BLOCK, blocks_per_sm = BLOCK == 256 ? 3 : 1, grid = ceil_div(n, TILE), keys, values, f, same, keys_to, values_to, words, runs, 0u32, zero);
    } else {
        scratch persistent words: u64[W_LARGE * ceil_div(n, TILE)];
        launch __key_tiles<R>(block = BLOCK, blocks_per_sm = BLOCK == 256 ? 3 : 1, grid = ceil_div(n, TILE), keys, values, f, same, keys_to, values_to, words, runs, 0u64, zero);
    }
}

// Large data. Spans have the form of device/runs_central.ck.
algorithm device.__keys_large<K: number, T: number, F: fn, A: type, O: type, G: fn, R: type>(keys: in K[], values: in T[], f: F, keys_to: A, values_to: O, same: G, runs: R) {
    comptime if (__has_runs_central<sizeof<K>, sizeof<T>>()) {
        const N: u32 = 96 / u32(sizeof<K> + sizeof<T>);
        const W = u64(__pair_words<u32, T>());
        if (keys.len > __LARGE_KEYS && keys.len <= __NARROW) {
            scratch persistent sums: u64[W * ceil_div(keys.len, 256 * u64(N))];
            scratch persistent before: u64[W * ceil_div(keys.len, 256 * u64(N))];
            launch __keys_central<8, N, 8, 5>(block = __central_threads<2, 8>(), grid = min(resident, 160), keys, values, f, same, keys_to, values_to, sums, before, runs, __zero(values[0u64]));
        } else {
            device.__key_tiles_of(keys, values, f, keys_to, values_to, same, runs);
        }
    } else {
        device.__key_tiles_of(keys, values, f, keys_to, values_to, same, runs);
    }
}
algorithm device.__keys_large<I: type, X: type, F: fn, A: type, O: type, G: fn, N: type>(keys: I, values: X, f: F, keys_to: A, values_to: O, same: G, runs: N) {
    device.__key_tiles_of(keys, values, f, keys_to, values_to, same, runs);
}

algorithm device.reduce_by_key<I: type, X: type, F: fn, A: type, O: type, G: fn>(keys: I, values: X, f: F, keys_to: A, values_to: O, same: G) -> u64 {
    scratch result runs: u64[1];
    let pairs = zip(keys, values);
    let parts = zip(keys_to, values_to);
    __apart(pairs, f, same, parts);
    __apart(parts);
    __fits(__room(values), keys.len, "'values'");
    const W = u64(__pair_words<u32, element_of<X>>());
    const SMALL = 512 * u64(__pair_items<element_of<I>, element_of<X>>());
    let n = __most(keys);
    let zero = __zero(values[0u64]);
    comptime if (__is_serial()) {
        launch __keys_serial(block = 1, grid = 1, keys, values, f, same, keys_to, values_to, runs, zero);
    } else if (n <= __SMALL_SELECT) {
        scratch persistent words: u64[W * ceil_div(n, SMALL)];
        launch __key_tiles<1>(block = 512, grid = max(1, ceil_div(n, SMALL)), keys, values, f, same, keys_to, values_to, words, runs, 0u32, zero);
    } else {
        device.__keys_large(keys, values, f, keys_to, values_to, same, runs);
    }
    return runs[0];
}
algorithm device.reduce_by_key<I: type, X: type, F: fn, A: type, O: type>(keys: I, values: X, f: F, keys_to: A, values_to: O) -> u64 =
    device.reduce_by_key(keys, values, f, keys_to, values_to, |a, b| a == b);

// Does a run begin at element i?
fn __begins_run<I: type, G: fn>(keys: I, i: u64, same: G) -> bool {
    if (i == 0) return true;
    return !same(keys[i - 1], keys[i]);
}

// Element i of a scan: does a run begin, and what is added. EXCLUSIVE: init, or the value before.
fn __marked<const EXCLUSIVE: bool, T: type, I: type, X: type, G: fn>(keys: I, values: X, i: u64, same: G, init: T) -> (bool, T) {
    let begins = __begins_run(keys, i, same);
    var v = init;
    comptime if (EXCLUSIVE) {
        if (!begins) v = values[i - 1];
    } else {
        v = values[i];
    }
    return (begins, v);
}

algorithm device.inclusive_scan_by_key<I: type, X: type, O: type, F: fn, G: fn>(keys: I, values: X, to: O, f: F, same: G) {
    let read = keys.map(|v| v);
    let written = to.map_store(|p| p[1]);
    __apart(read, f, same, written);
    let elements = take(values, __finite(__most(keys)));
    comptime if (sizeof(__moves(values, to)) == 2) __apart(elements, to);
    else __in_step(values, to);
    __fits(__room(values), keys.len, "'values'");
    __fits(__room(to), keys.len, "'to'");
    let init = __zero(values[0u64]);
    let marked = keys.enumerate().map(|p| __marked<false>(keys, values, p[0], same, init));
    device.__scan_apart<false, false>(marked, written, |a, b| b[0] ? b : (a[0], f(a[1], b[1])), __zero(marked[0u64]));
}
algorithm device.inclusive_scan_by_key<I: type, X: type, O: type, F: fn>(keys: I, values: X, to: O, f: F) {
    device.inclusive_scan_by_key(keys, values, to, f, |a, b| a == b);
}

algorithm device.exclusive_scan_by_key<I: type, X: type, O: type, F: fn, T: type, G: fn>(keys: I, values: X, to: O, f: F, init: T, same: G) {
    let read = zip(keys, values);
    let written = to.map_store(|p| p[1]);
    __apart(read, f, same, written);
    __fits(__room(values), keys.len, "'values'");
    __fits(__room(to), keys.len, "'to'");
    let marked = keys.enumerate().map(|p| __marked<true>(keys, values, p[0], same, init));
    device.__scan_apart<false, false>(marked, written, |a, b| b[0] ? b : (a[0], f(a[1], b[1])), __zero(marked[0u64]));
}
algorithm device.exclusive_scan_by_key<I: type, X: type, O: type, F: fn, T: type = element_of<X>>(keys: I, values: X, to: O, f: F, init: T) {
    device.exclusive_scan_by_key(keys, values, to, f, init, |a, b| a == b);
}
