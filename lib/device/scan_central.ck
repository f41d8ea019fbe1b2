// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/scan_central.ck - running sums of more data than the L2 cache holds, at the speed of a copy:
// the form of device/scan.ck for large spans.
//
// A tile can't be written before the sum of all tiles before it is known, and blocks that look back
// wait for each other while memory idles. Here one warp of the grid, the scanner, adds up all tiles'
// sums, in their order, and each block is several tiles ahead: it has copied S tiles to shared memory,
// and has published the sums of D of them, before the first one's sum of predecessors is needed.
//
//     block b:    tile b | tile b + blocks | tile b + 2 blocks | ...    one tile a round
//     workers     round r: finish tile r, count tile r + D
//     helper      publish the sum of tile r + D - 1, copy tile r + S - 1, fetch what is before tile r + 1
//     scanner     (block 0) read the sums of the tiles of a round, write what is before each of them
//
// Each word has one reader, so polls don't delay each other. All blocks have to run at a time, and the
// launch is cooperative for that.

// Vector i of the tile, which begins at x[at]; the `whole` first elements have been copied. What isn't
// there is 0.
fn __central_items<const V: u32, T: type>(tile: in T[], x: in T[], at: u64, i: u32, whole: u32) -> T[V] {
    var r: T[V];
    comptime if (!__is_quick()) {
        if (i + V <= whole) {
            r.store(0, tile.load<V>(i));
            return r;
        }
    }
    unroll for (j in 0..V) {
        if (i + j < whole) r[j] = tile[i + j];
        else if (at + u64(i + j) < x.len) r[j] = x[at + u64(i + j)];
    }
    return r;
}

// The sum of the warp's part of a tile, which begins at `first`: ROWS rows of 32 vectors.
fn __central_sum<const TILE: u32, const ROWS: u32, const V: u32, T: type>(tile: in T[], x: in T[], at: u64, first: u32) -> T {
    let whole = bulk.whole(x, at, TILE);
    var s: T[V];
    unroll for (k in 0..ROWS) {
        let v = __central_items<V>(tile, x, at, first + k * 32 * V + warp.lane * V, whole);
        unroll for (j in 0..V) s[j] += v[j];
    }
    var sum = s[0];
    unroll for (j in 1..V) sum += s[j];
    return warp.reduce(sum, +);
}

// Scans the warp's part of a tile behind `before`, and stores it.
fn __central_finish<const TILE: u32, const ROWS: u32, const V: u32, const EXCLUSIVE: bool, T: type>(tile: in T[], x: in T[], y: out T[], at: u64, first: u32, before: T, is_wide: bool) {
    let whole = bulk.whole(x, at, TILE);
    var v: T[ROWS * V];
    var ends: T[ROWS]; // up to the end of the lane's vector, in its row
    unroll for (k in 0..ROWS) {
        let a = __central_items<V>(tile, x, at, first + k * 32 * V + warp.lane * V, whole);
        v[k * V] = a[0];
        unroll for (j in 1..V) v[k * V + j] = v[k * V + j - 1] + a[j];
        ends[k] = v[k * V + V - 1];
    }
    unroll for (step in 0..5u32) {
        var others: T[ROWS];
        unroll for (k in 0..ROWS) others[k] = warp.shuffle_up(ends[k], 1u32 << step);
        unroll for (k in 0..ROWS) {
            if (warp.lane >= 1u32 << step) ends[k] += others[k];
        }
    }
    var sum = before;
    unroll for (k in 0..ROWS) {
        let left = warp.shuffle_up(ends[k], 1);
        var add = sum;
        if (warp.lane > 0) add += left;
        sum += warp.broadcast(ends[k], 31);
        var out: T[V];
        unroll for (j in 0..V) {
            comptime if (EXCLUSIVE) {
                if (j == 0) out[j] = add;
                else out[j] = add + v[k * V + max(j, 1) - 1];
            } else {
                out[j] = add + v[k * V + j];
            }
        }
        let i = at + u64(first + k * 32 * V + warp.lane * V);
        if (!__is_quick() && is_wide && i + u64(V) <= y.len) {
            __put_adjacent<V, true>(y, i, out);
        } else {
            unroll for (j in 0..V) {
                if (i + u64(j) < y.len) y[i + u64(j)] = out[j];
            }
        }
    }
}

// Publishes the sum of a tile, by one warp. The sums of the warps become those before each warp.
fn __central_publish<T: type>(of_warps: inout T[], warps: u32, sums: inout u64[], i: u64, tag: u32) {
    var own: T;
    if (warp.lane < warps) own = of_warps[warp.lane];
    let all = warp.inclusive_scan(own, +);
    let left = warp.shuffle_up(all, 1);
    if (warp.lane > 0) of_warps[warp.lane] = left;
    else of_warps[0] = T(0);
    if (warp.lane == 31) __put_state(sums, i, all, tag | __PARTIAL);
}

fn __scan_central<const WORKERS: u32, const ROWS: u32, const S: u32, const D: u32, const EXCLUSIVE: bool, T: number>(x: in T[], y: out T[], init: T, sums: inout u64[], before: inout u64[]) {
    const V: u32 = 16 / u32(sizeof<T>);
    const TILE: u32 = WORKERS * ROWS * 32 * V;
    static_assert(D >= 2 && S >= D + 2, "a tile is loaded before it is counted, and counted before it is finished");
    shared tile: T[S, TILE];
    shared of_warps: T[S, 32];
    shared prefix: T[2];
    shared full: barrier[S];
    grid.together();
    let tag = __assume_grid(__epoch_tag());
    if (thread.rank == 0) {
        for (s in 0..S) mbarrier.init(full[s], 1);
    }
    block.sync();
    let n = x.len;
    let (b, blocks, tiles) = (u64(block.id.x), u64(grid.dim.x), ceil_div(n, u64(TILE)));
    let rounds = b < tiles ? u32(ceil_div(tiles - b, blocks)) : 0;
    let is_wide = __adjoins<V>(y);
    split {
        worker(warps = WORKERS + 1) {
            let is_helper = worker.warp == WORKERS;
            let first = worker.warp * ROWS * 32 * V;
            if (is_helper && warp.lane == 0) {
                for (r in 0..min(S, rounds)) __central_load<TILE>(tile[r], x, (u64(r) * blocks + b) * u64(TILE), address(full[r]));
            }
            for (r in 0..(is_helper ? 0 : min(D, rounds))) {
                mbarrier.wait(full[r], 0);
                let sum = __central_sum<TILE, ROWS, V>(tile[r], x, (u64(r) * blocks + b) * u64(TILE), first);
                if (warp.lane == 0) of_warps[r, worker.warp] = sum;
            }
            worker.sync();
            if (is_helper && rounds > 0) {
                for (r in 0..min(D, rounds)) __central_publish(of_warps[r], WORKERS, sums, u64(r) * blocks + b, tag);
                let p = __central_wait(before, b, tag, init);
                if (warp.lane == 0) prefix[0] = p;
            }
            worker.sync();
            for (r in 0..rounds) {
                let (s, counted) = (r % S, r + D);
                if (is_helper) {
                    let (told, free) = (r + D - 1, r + S - 1);
                    if (r > 0 && told < rounds) __central_publish(of_warps[told % S], WORKERS, sums, u64(told) * blocks + b, tag);
                    if (r > 0 && free < rounds && warp.lane == 0)
                        __central_load<TILE>(tile[free % S], x, (u64(free) * blocks + b) * u64(TILE), address(full[free % S]));
                    warp.sync();
                    if (r + 1 < rounds) {
                        let p = __central_wait(before, u64(r + 1) * blocks + b, tag, init);
                        if (warp.lane == 0) prefix[(r + 1) % 2] = p;
                    }
                } else {
                    __central_finish<TILE, ROWS, V, EXCLUSIVE>(tile[s], x, y, (u64(r) * blocks + b) * u64(TILE), first, prefix[r % 2] + of_warps[s, worker.warp], is_wide);
                    if (counted < rounds) {
                        mbarrier.wait(full[counted % S], counted / S % 2);
                        let sum = __central_sum<TILE, ROWS, V>(tile[counted % S], x, (u64(counted) * blocks + b) * u64(TILE), first);
                        if (warp.lane == 0) of_warps[counted % S, worker.warp] = sum;
                    }
                }
                worker.sync();
            }
        }
        scanner(warps = 1) {
            const WORDS: u32 = 5; // a lane's values of a round: at most 160 blocks
            var base = init;
            for (t in (0..b == 0 ? tiles : 0).step(blocks)) {
                let count = u32(min(blocks, tiles - t));
                var v: T[WORDS];
                var is_missing = true;
                while (warp.any(is_missing)) { // no load waits for another one
                    is_missing = false;
                    unroll for (k in 0..WORDS) {
                        let (got, kind) = __get_state<T>(sums, t + u64(min(warp.lane + 32 * k, count - 1)), tag);
                        v[k] = got;
                        is_missing |= kind == 0;
                    }
                    if (is_missing) thread.yield();
                }
                unroll for (k in 0..WORDS) {
                    if (warp.lane + 32 * k >= count) v[k] = T(0);
                }
                var all = v;
                unroll for (step in 0..5u32) {
                    var others: T[WORDS];
                    unroll for (k in 0..WORDS) others[k] = warp.shuffle_up(all[k], 1u32 << step);
                    unroll for (k in 0..WORDS) all[k] += warp.lane >= 1u32 << step ? others[k] : T(0);
                }
                unroll for (k in 0..WORDS) {
                    let left = warp.shuffle_up(all[k], 1);
                    v[k] = base + (warp.lane > 0 ? left : T(0));
                    base += warp.broadcast(all[k], 31);
                }
                unroll for (k in 0..WORDS) {
                    if (warp.lane + 32 * k < count) __put_state(before, t + u64(warp.lane + 32 * k), v[k], tag | __PREFIX);
                }
            }
            // All sums have been read, so all blocks have read the epoch.
            if (b == 0 && tiles > 0 && warp.lane == 0) __end_epoch(tag);
        }
    }
}
