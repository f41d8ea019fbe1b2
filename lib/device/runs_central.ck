// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/runs_central.ck - runs of equal elements in spans that are larger than the L2 cache: the form of
// device/unique_steps.ck and of reduce_by_key (device/by_key.ck) that central scanners
// (device/central.ck) make.
//
// A thread has N adjacent elements. In shared memory the 16 bytes that are before a tile of keys stand in
// front of it, so that each element has the one before it. Flags of the elements that begin a run, and
// how many begin before the thread in its warp, are kept from `count` to `place` (a mark). The elements
// that are written are put in order in the tile itself.
//
//     shared    | x[at - V..at] | x[at] ... x[at + TILE - 1] |    a stage of the keys
//     run       4 4 9 9 9 | 9 1     the aggregate of a tile: how many runs begin, and the place of the
//     flags     1 0 1 0 0 | 0 1     last begin plus 1 (run lengths), or the value of the open run (by key)

// Starts to copy a tile of keys, and one of values if there are some.
fn __runs_load<const TILE: u32, const HAS_VALUES: bool, K: type, T: type>(keys: out K[], values: out T[], k: in K[], x: in T[], at: u64, full: ptr<barrier, shared>) {
    const V: u32 = 16 / u32(sizeof<K>);
    let ahead = at > 0 ? V : 0u32;
    let whole = bulk.whole(k, at - u64(ahead), TILE + ahead);
    var bytes = whole * u32(sizeof<K>);
    comptime if (HAS_VALUES) bytes += bulk.whole(x, at, TILE) * u32(sizeof<T>);
    mbarrier.arrive(full[0], bytes = bytes);
    bulk.load(keys[V - ahead..V + TILE], k, at - u64(ahead), whole, full[0]);
    comptime if (HAS_VALUES) bulk.load(values, x, at, bulk.whole(x, at, TILE), full[0]);
}

// What the copy of a tile of keys leaves; what isn't there becomes the last key. Gives whether the key
// before the tile has been copied, and with it all that stand before a warp's own.
fn __runs_patch<const TILE: u32, const OWN: u32, K: type>(keys: inout K[], k: in K[], at: u64) -> bool {
    const V: u32 = 16 / u32(sizeof<K>);
    let ahead = at > 0 ? V : 0u32;
    let whole = bulk.whole(k, at - u64(ahead), TILE + ahead);
    if (whole == TILE + ahead) return true;
    let here = __team_warp<TILE / OWN>() * OWN;
    unroll(1) for (i in (here + warp.lane..here + OWN).step(32)) {
        if (i + ahead >= whole) keys[V + i] = k[min(at + u64(i), k.len - 1)];
    }
    warp.sync();
    return whole > 0;
}

// N elements from place i on.
fn __central_own<const N: u32, T: type>(tile: in T[], i: u32) -> T[N] {
    const V: u32 = 16 / u32(sizeof<T>);
    var r: T[N];
    unroll for (q in 0..N / V) r.store(q * V, tile.load<V>(i + q * V));
    return r;
}

// Flags of the thread's elements that begin a run. All N are compared: those that aren't there equal the
// last one, and have no flag.
fn __runs_flags<const N: u32, K: type, F: fn>(keys: in K[], k: in K[], v: K[N], at: u64, i: u32, is_copied: bool, same: F) -> u32 {
    const V: u32 = 16 / u32(sizeof<K>);
    let valid = __central_valid(k.len, at, i, N);
    let is_first = at + u64(i) == 0;
    var left = warp.shuffle_up(v[N - 1], 1);
    // Another warp may be writing the key before this warp's, unless the bulk copy has.
    if (warp.lane == 0 && valid > 0) left = is_first ? v[0] : is_copied ? keys[V + i - 1] : k[at + u64(i) - 1];
    var flags = u32(is_first);
    unroll for (j in 0..N) {
        flags |= u32(!same(left, v[j])) << j;
        left = v[j];
    }
    return flags & (1u32 << valid) - 1;
}

// ---- unique, run lengths: an aggregate is (runs that begin, the place of the last begin plus 1) ----

fn __runs_count<const N: u32, const TILE: u32, const HAS_VALUES: bool, const LENGTHS: bool, K: type, T: type, F: fn>(keys: inout K[], values: inout T[], marks: out u32[], k: in K[], x: in T[], at: u64, same: F) -> u32[LENGTHS ? 2 : 1] {
    const V: u32 = 16 / u32(sizeof<K>);
    static_assert(N <= 20, "a mark has 20 bits for flags and 12 for a rank");
    let is_copied = __runs_patch<TILE, 32 * N>(keys, k, at);
    comptime if (HAS_VALUES) __central_patch<TILE, 32 * N>(values, x, at);
    let rank = thread.rank % (TILE / N);
    let i = rank * N;
    let flags = __runs_flags(keys, k, __central_own<N>(keys, V + i), at, i, is_copied, same);
    let own = popcount(flags);
    let up_to = warp.inclusive_scan(own, +);
    marks[rank] = flags | (up_to - own) << 20;
    var sum: u32[LENGTHS ? 2 : 1];
    sum[0] = warp.shuffle(up_to, 31);
    comptime if (LENGTHS) {
        let begins = warp.ballot(flags != 0);
        let last = i + 31 - clz(flags | 1);
        let latest = warp.shuffle(last, 31 - clz(begins | 1));
        sum[1] = begins == 0 ? 0 : u32(at) + latest + 1;
    }
    return sum;
}

fn __runs_place<const N: u32, const TILE: u32, const HAS_VALUES: bool, const LENGTHS: bool, K: type, T: type, const W: u32, S: fn>(keys: inout K[], values: inout T[], marks: in u32[], begins: out u16[], of_warps: u32[W], sync: S) {
    const V: u32 = 16 / u32(sizeof<K>);
    let own = thread.rank % (TILE / N);
    let i = own * N;
    let flags = marks[own];
    var rank = of_warps[0] + (flags >> 20);
    let v = __central_own<N>(keys, V + i);
    var w: T[N];
    comptime if (HAS_VALUES) w = __central_own<N>(values, i);
    sync(0);
    let to = address(keys[V]); // V + rank might wrap, as far as LLVM knows, and would be added up each time
    unroll for (j in 0..N) {
        let is_head = (flags >> j & 1) == 1;
        if (is_head) {
            to[rank] = v[j];
            comptime if (HAS_VALUES) values[rank] = w[j];
            comptime if (LENGTHS) begins[rank] = u16(i + j);
        }
        rank += u32(is_head);
    }
}

fn __runs_write<const HAS_VALUES: bool, const LENGTHS: bool, K: type, T: type, A: type, O: type, const W: u32>(keys: in K[], values: in T[], begins: in u16[], threads: u32, at: u64, total: u32[W], before: u32[W], keys_to: A, values_to: O) {
    const V: u32 = 16 / u32(sizeof<K>);
    let to = u64(before[0]);
    let shift = before[0] & 31;
    unroll(4) for (k in (thread.rank % threads..total[0] + shift).step(threads)) {
        if (k >= shift) {
            let i = k - shift;
            keys_to[to + u64(i)] = keys[V + i];
            comptime if (HAS_VALUES) values_to[to + u64(i)] = values[i];
            comptime if (LENGTHS) {
                let begin = u32(begins[i]);
                if (i > 0) __put_place(values_to, to + u64(i) - 1, u64(begin - u32(begins[i - 1])));
                else if (to > 0) __put_place(values_to, to - 1, u64(u32(at) + begin + 1 - before[W - 1]));
            }
        }
    }
    bulk.fence(); // the next copy to the tile comes after what was placed in it
}

fn __tell_runs<const LENGTHS: bool, O: type, const W: u32>(all: u32[W], n: u64, lengths: O, runs: out u64[]) {
    runs[0] = u64(all[0]);
    comptime if (LENGTHS) __put_place(lengths, u64(all[0]) - 1, n + 1 - u64(all[W - 1]));
}
fn __both_runs<const W: u32>(a: u32[W], b: u32[W]) -> u32[W] {
    var r = b;
    r[0] += a[0];
    comptime if (W == 2) r[W - 1] = max(a[W - 1], b[W - 1]);
    return r;
}

fn __runs_central<const TEAMS: u32, const WORKERS: u32, const N: u32, const S: u32, const D: u32, const HAS_VALUES: bool, const LENGTHS: bool, K: type, T: type, F: fn, A: type, O: type>(k: in K[], x: in T[], same: F, keys_to: A, values_to: O, sums: inout u64[], before: inout u64[], runs: out u64[]) {
    const V: u32 = 16 / u32(sizeof<K>);
    const THREADS: u32 = WORKERS * 32;
    const TILE: u32 = THREADS * N;
    const STAGE: u32 = TILE + V;
    const OTHER: u32 = HAS_VALUES ? TILE : 0;
    shared keys: K[S * STAGE];
    shared values: T[HAS_VALUES ? S * TILE : 1];
    shared marks: u32[S * THREADS];
    shared begins: u16[LENGTHS ? TEAMS * TILE : 1]; // of a tile for each team
    let mine = LENGTHS ? thread.rank / THREADS * TILE : 0;
    let room = LENGTHS ? TILE : 1;
    var none: u32[LENGTHS ? 2 : 1];
    __central<TEAMS, WORKERS, S, D>(
        ceil_div(k.len, u64(TILE)), none, |t| WORKERS, // those without elements count 0
        |s, t, bar| __runs_load<TILE, HAS_VALUES>(keys[s * STAGE..s * STAGE + STAGE], values[s * OTHER..s * OTHER + OTHER], k, x, t * u64(TILE), bar),
        |s, t| __runs_count<N, TILE, HAS_VALUES, LENGTHS>(keys[s * STAGE..s * STAGE + STAGE], values[s * OTHER..s * OTHER + OTHER], marks[s * THREADS..s * THREADS + THREADS], k, x, t * u64(TILE), same),
        |s, t, of_warps, total, ahead, sync| __runs_place<N, TILE, HAS_VALUES, LENGTHS>(keys[s * STAGE..s * STAGE + STAGE], values[s * OTHER..s * OTHER + OTHER], marks[s * THREADS..s * THREADS + THREADS], begins[mine..mine + room], of_warps, sync),
        |s, t, of_warps, total, ahead| __runs_write<HAS_VALUES, LENGTHS>(keys[s * STAGE..s * STAGE + STAGE], values[s * OTHER..s * OTHER + OTHER], begins[mine..mine + room], THREADS, t * u64(TILE), total, ahead, keys_to, values_to),
        |a, b| __both_runs(a, b),
        |all| __tell_runs<LENGTHS>(all, k.len, values_to, runs),
        sums, before);
}

// ---- by key: an aggregate is (runs that begin, the value of the open run) ----

fn __keys_count<const N: u32, const TILE: u32, K: type, T: type, F: fn, G: fn>(keys: inout K[], values: inout T[], marks: out u32[], opens: out T[], k: in K[], x: in T[], at: u64, f: F, same: G) -> (u32, T) {
    const V: u32 = 16 / u32(sizeof<K>);
    let is_copied = __runs_patch<TILE, 32 * N>(keys, k, at);
    __central_patch<TILE, 32 * N>(values, x, at);
    let rank = thread.rank % (TILE / N);
    let i = rank * N;
    let flags = __runs_flags(keys, k, __central_own<N>(keys, V + i), at, i, is_copied, same);
    let v = __central_own<N>(values, i);
    let valid = __central_valid(k.len, at, i, N);
    // What isn't there is never given to f: it counts as the begin of a run.
    let begins = valid < N ? flags | ~0u32 << valid : flags;
    var open = v[0];
    unroll for (j in 1..N) {
        if ((begins >> j & 1) == 1) open = v[j];
        else open = f(open, v[j]);
    }
    let own = popcount(flags);
    // The lanes' open values from the last lane on in which a run begins. Lanes that have nothing are behind
    // all others, and count as such lanes.
    let cuts = warp.ballot(flags != 0 || valid == 0);
    let up_to = warp.inclusive_scan(own, +);
    let first = 31 - clz(cuts & ~0u32 >> (31 - warp.lane) | 1); // no lane before it is in the lane's run
    var all = open;
    unroll for (step in 0..5u32) {
        let left = warp.shuffle_up(all, 1u32 << step);
        if (warp.lane >= first + (1u32 << step)) all = f(left, all);
    }
    opens[rank] = warp.shuffle_up(all, 1);
    let has_cut = warp.lane > 0 && (cuts & ((1u32 << warp.lane) - 1)) != 0;
    marks[rank] = flags | (up_to - own) << 19 | u32(has_cut) << 31;
    let there = warp.ballot(valid > 0);
    return (warp.shuffle(up_to, 31), warp.shuffle(all, 31 - clz(there | 1)));
}

// Puts the keys of the thread's runs from place `rank` on in order, each with the value of the run before
// it. Returns the value of the run that is open behind the thread's elements.
fn __keys_order<const IS_FULL: bool, const N: u32, K: type, T: type, F: fn>(keys: inout K[], values: inout T[], k: K[N], v: T[N], heads: u32, rank: u32, open: T, valid: u32, f: F) -> T {
    const V: u32 = 16 / u32(sizeof<K>);
    var (at, run) = (rank, open);
    unroll for (j in 0..N) {
        let is_head = (heads >> j & 1) == 1;
        if (is_head) {
            keys[V + at] = k[j];
            values[at] = run;
            run = v[j];
        } else if (IS_FULL || j < valid) {
            run = f(run, v[j]);
        }
        at += u32(is_head);
    }
    return run;
}

fn __keys_place<const N: u32, const TILE: u32, K: type, T: type, F: fn, O: type, S: fn>(keys: inout K[], values: inout T[], marks: in u32[], opens: in T[], n: u64, at: u64, of_warps: (u32, T), total: (u32, T), before: (u32, T), f: F, values_to: O, sync: S) {
    const V: u32 = 16 / u32(sizeof<K>);
    let own = thread.rank % (TILE / N);
    let i = own * N;
    let mark = marks[own];
    let rank = of_warps[0] + (mark >> 19 & 0xfff);
    let k = __central_own<N>(keys, V + i);
    let v = __central_own<N>(values, i);
    // The value of the run that is open where the thread begins: of its warp, its tile, the tiles before.
    var run = opens[own];
    var is_cut = mark >> 31 == 1;
    if (!is_cut && own >= 32) run = warp.lane > 0 ? f(of_warps[1], run) : of_warps[1];
    is_cut |= of_warps[0] > 0;
    if (!is_cut && at > 0) run = own > 0 ? f(before[1], run) : before[1];
    sync(0);
    let valid = __central_valid(n, at, i, N);
    if (valid == N) run = __keys_order<true>(keys, values, k, v, mark, rank, run, valid, f);
    else run = __keys_order<false>(keys, values, k, v, mark, rank, run, valid, f);
    if (valid > 0 && at + u64(i + valid) == n) values_to[u64(before[0] + total[0]) - 1] = run;
}

// A run's value goes to the place before that of the key that ends it.
fn __keys_write<K: type, T: type, A: type, O: type>(keys: in K[], values: in T[], threads: u32, total: (u32, T), before: (u32, T), keys_to: A, values_to: O) {
    const V: u32 = 16 / u32(sizeof<K>);
    let to = u64(before[0]);
    let shift = before[0] & 31;
    unroll(4) for (k in (thread.rank % threads..total[0] + shift).step(threads)) {
        if (k >= shift) {
            let i = k - shift;
            keys_to[to + u64(i)] = keys[V + i];
            if (to + u64(i) > 0) values_to[to + u64(i) - 1] = values[i];
        }
    }
    bulk.fence(); // the next copy to the tile comes after what was placed in it
}

fn __keys_central<const WORKERS: u32, const N: u32, const S: u32, const D: u32, K: type, T: type, F: fn, G: fn, A: type, O: type>(k: in K[], x: in T[], f: F, same: G, keys_to: A, values_to: O, sums: inout u64[], before: inout u64[], runs: out u64[], zero: T) {
    const V: u32 = 16 / u32(sizeof<K>);
    const THREADS: u32 = WORKERS * 32;
    const TILE: u32 = THREADS * N;
    const STAGE: u32 = TILE + V;
    static_assert(N <= 19, "a mark has 19 bits for flags and 12 for a rank");
    shared keys: K[S * STAGE];
    shared values: T[S * TILE];
    shared marks: u32[S * THREADS];
    shared opens: T[S * THREADS];
    __central<2, WORKERS, S, D>(
        ceil_div(k.len, u64(TILE)), (0u32, zero), |t| __central_parts<TILE, 32 * N>(k.len, t),
        |s, t, bar| __runs_load<TILE, true>(keys[s * STAGE..s * STAGE + STAGE], values[s * TILE..s * TILE + TILE], k, x, t * u64(TILE), bar),
        |s, t| __keys_count<N, TILE>(keys[s * STAGE..s * STAGE + STAGE], values[s * TILE..s * TILE + TILE], marks[s * THREADS..s * THREADS + THREADS], opens[s * THREADS..s * THREADS + THREADS], k, x, t * u64(TILE), f, same),
        |s, t, of_warps, total, ahead, sync| __keys_place<N, TILE>(keys[s * STAGE..s * STAGE + STAGE], values[s * TILE..s * TILE + TILE], marks[s * THREADS..s * THREADS + THREADS], opens[s * THREADS..s * THREADS + THREADS], k.len, t * u64(TILE), of_warps, total, ahead, f, values_to, sync),
        |s, t, of_warps, total, ahead| __keys_write(keys[s * STAGE..s * STAGE + STAGE], values[s * TILE..s * TILE + TILE], THREADS, total, ahead, keys_to, values_to),
        |a, b| (a[0] + b[0], b[0] > 0 ? b[1] : f(a[1], b[1])),
        |all| __tell_total(runs, all[0]),
        sums, before);
}
fn __tell_total(runs: out u64[], count: u32) { runs[0] = u64(count); }
