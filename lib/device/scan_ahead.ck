// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/scan_ahead.ck - running values by any function of more data than the L2 cache holds: the form of
// device/scan.ck for large spans that central scanners (device/central.ck) make. Sums of numbers have
// device/scan_central.ck, which calls the function fewer times.
//
// A warp has a part of a tile to itself, 32 times K elements. K is odd, so that elements that are K apart lie
// in different banks of shared memory.
//
//     count    lane l: elements K l to K l + K - 1 of its warp's part become their running values
//     write    lane l: elements l, l + 32, ... get what is before the warp; the part is written, 16 bytes
//              an access
//
// The running values stay in the tile between the two, so that the elements are read once.

// Elements of a lane: an odd number, of at most 88 bytes. A tile has 256 times as many.
fn __ahead_items<T: type>() -> u32 = max(1, (88 / u32(sizeof<T>) + 1) / 2 * 2 - 1);
fn __has_ahead<T: type>() -> bool = __is_large_chip() && sizeof<T> % 4 == 0 && sizeof<T> <= 16 && alignof<T> >= 4;

fn __ahead_load<const TILE: u32, T: type>(tile: ptr<T, shared>, x: in T[], at: u64, full: ptr<barrier, shared>) {
    let whole = bulk.whole(x, at, TILE);
    mbarrier.arrive(full[0], bytes = whole * u32(sizeof<T>));
    if (whole > 0) bulk.load(tile, ptr<T, global>(address(x[at])), whole, full[0]);
}

// The running values of the warp's part, and its value. Of a part that isn't full the first `valid` elements
// are there; lanes without elements are behind all others.
fn __ahead_scan<const K: u32, const IS_FULL: bool, const EXCLUSIVE: bool, T: type, F: fn>(part: ptr<T, shared>, valid: u32, f: F) -> T {
    let first = warp.lane * K;
    let own = part + first;
    let mine = IS_FULL ? K : min(valid - min(valid, first), K);
    var v: T[K];
    unroll for (k in 0..K) {
        if (IS_FULL || k < mine) v[k] = own[k];
    }
    var total = v[0];
    unroll for (k in 1..K) {
        if (IS_FULL || k < mine) {
            v[k] = f(v[k - 1], v[k]);
            total = v[k];
        }
    }
    unroll for (step in 0..5u32) {
        let left = warp.shuffle_up(total, 1u32 << step);
        if (warp.lane >= 1u32 << step && (IS_FULL || mine > 0)) total = f(left, total);
    }
    let left = warp.shuffle_up(total, 1);
    if (warp.lane > 0) {
        unroll for (k in 0..K) {
            if (IS_FULL || k < mine) v[k] = f(left, v[k]);
        }
    }
    unroll for (k in 0..K) {
        if (IS_FULL || k < mine) {
            comptime if (EXCLUSIVE) own[k] = k > 0 ? v[max(k, 1) - 1] : left;
            else own[k] = v[k];
        }
    }
    return warp.shuffle(total, IS_FULL ? 31 : (max(valid, 1) - 1) / K);
}

fn __ahead_count<const K: u32, const TILE: u32, const EXCLUSIVE: bool, T: type, F: fn>(tile: ptr<T, shared>, x: in T[], at: u64, f: F) -> T {
    const OWN: u32 = 32 * K;
    let own = __team_warp<TILE / OWN>() * OWN;
    let part = tile + own;
    let valid = __assume_warp(u32(min(x.len - min(x.len, at + u64(own)), u64(OWN))));
    let whole = bulk.whole(x, at, TILE);
    if (whole < own + valid) { // what the bulk copy left
        unroll(1) for (i in (warp.lane..valid).step(32)) {
            if (own + i >= whole) part[i] = x[at + u64(own + i)];
        }
        warp.sync();
    }
    if (valid == OWN) return __ahead_scan<K, true, EXCLUSIVE>(part, OWN, f);
    return __ahead_scan<K, false, EXCLUSIVE>(part, valid, f);
}

// Puts what is before a warp's part in front of its elements, of which the lane has every 32nd, from `own` on.
fn __ahead_join<const K: u32, const IS_FULL: bool, const EXCLUSIVE: bool, T: type, F: fn>(own: ptr<T, shared>, valid: u32, before: T, f: F) {
    var v: T[K];
    unroll for (k in 0..K) {
        if (IS_FULL || warp.lane + 32 * k < valid) v[k] = own[32 * k];
    }
    unroll for (k in 0..K) {
        if (IS_FULL || warp.lane + 32 * k < valid) own[32 * k] = EXCLUSIVE && k == 0 && warp.lane == 0 ? before : f(before, v[k]);
    }
}

// Writes the first `valid` elements of a warp's part to `to[at]` and on. `before` is what comes before them,
// if anything does.
fn __ahead_put<const K: u32, const EXCLUSIVE: bool, T: type, F: fn>(part: ptr<T, shared>, to: out T[], at: u64, valid: u32, has_before: bool, before: T, f: F, is_wide: bool) {
    if (has_before) {
        let own = part + warp.lane;
        if (valid == 32 * K) __ahead_join<K, true, EXCLUSIVE>(own, valid, before, f);
        else __ahead_join<K, false, EXCLUSIVE>(own, valid, before, f);
    }
    warp.sync();
    if (is_wide) {
        let bytes = valid * u32(sizeof<T>);
        let (wide, rows) = (ptr<u32x4, global>(address(to[at])), ptr<u32x4, shared>(part));
        unroll(4) for (i in (warp.lane..bytes / 16).step(32)) wide[i] = rows[i];
        let (narrow, words) = (ptr<u32, global>(wide + bytes / 16), ptr<u32, shared>(rows + bytes / 16));
        if (warp.lane < bytes % 16 / 4) narrow[warp.lane] = words[warp.lane];
    } else {
        unroll(1) for (i in (warp.lane..valid).step(32)) to[at + u64(i)] = part[i];
    }
}

fn __scan_ahead<const WORKERS: u32, const S: u32, const D: u32, const EXCLUSIVE: bool, const HAS_INIT: bool, T: type, F: fn>(x: in T[], y: out T[], init: T, f: F, sums: inout u64[], before: inout u64[]) {
    const K: u32 = __ahead_items<T>();
    const OWN: u32 = 32 * K;
    const TILE: u32 = WORKERS * OWN;
    const ROWS: u32 = TILE * u32(sizeof<T>) / 16;
    shared rows: u32x4[S * ROWS];
    let tiles = ptr<T, shared>(address(rows[0]));
    let is_wide = x.len == 0 || u64(address(y[0])) % 16 == 0;
    __central<2, WORKERS, S, D>(
        ceil_div(x.len, u64(TILE)), init, |t| __central_parts<TILE, OWN>(x.len, t),
        |s, t, bar| __ahead_load<TILE>(tiles + s * TILE, x, t * u64(TILE), bar),
        |s, t| __ahead_count<K, TILE, EXCLUSIVE>(tiles + s * TILE, x, t * u64(TILE), f),
        |s, t, of_warps, total, ahead, sync| {},
        |s, t, of_warps, total, ahead| {
            let part = __team_warp<WORKERS>();
            let at = t * u64(TILE) + u64(part * OWN);
            var own = part == 0 ? ahead : of_warps;
            if (t > 0 && part > 0) own = f(ahead, of_warps);
            comptime if (HAS_INIT) own = at == 0 ? init : f(init, own);
            let valid = u32(min(x.len - min(x.len, at), u64(OWN)));
            if (valid > 0) __ahead_put<K, EXCLUSIVE>(tiles + s * TILE + part * OWN, y, at, valid, HAS_INIT || at > 0, own, f, is_wide);
            bulk.fence();
        },
        |a, b| f(a, b),
        |all| {},
        sums, before);
}
