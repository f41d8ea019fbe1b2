// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/central.ck - the central scanner: how blocks that go through more data than the L2 cache holds
// learn what is before each of their tiles, without waiting for each other.
//
// Each tile has an aggregate, such as the number of its elements that are kept, and can't be written
// before the aggregates of all tiles before it are known. Blocks that look back for them wait for each
// other while memory idles. Here one warp of the grid, the scanner, reads the aggregates of all tiles in
// their order, and each block is several tiles ahead: it has copied S tiles to shared memory, and has
// published the aggregates of D of them, before what is before the first one is needed.
//
//     block b:    tile b | tile b + blocks | tile b + 2 blocks | ...    one tile a round
//     workers     round r: place and write tile r, count tile r + D
//     helper      publish the aggregate of tile r + D - 1, copy tile r + S - 1, fetch what is before tile r + 1
//     scanner     (block 0) read the aggregates of the tiles of a round, write what is before each of them
//
// Each word has one reader, so polls don't delay each other; its tag tells the launch (device/state.ck).
// All blocks have to run at a time, and the launch is cooperative for that.
//
// An algorithm gives functions. `s` is the tile's place in shared memory, below S; `t` is its number.
//
//     load(s, t, bar)                        one thread starts to copy the tile, and arrives at bar with its bytes
//     count(s, t)                            all workers; the aggregate of the warp's part, in all lanes
//     place(s, t, of_warps, total, before, sync)
//                                            all workers: of_warps is the aggregate of the warps before, total
//                                            of the tile, before of the tiles before. sync(0) waits for all
//     write(s, t, of_warps, total, before)   workers. write begins when all have placed, place when all have
//                                            written. What writes to the tile ends with bulk.fence()
//     join(a, b)                             the aggregate of two parts that follow each other
//     tell(all)                              one thread: the aggregate of all tiles
//
// Where there is nothing before, of_warps and before are zero.

fn __central_load<const TILE: u32, T: type>(tile: out T[], x: in T[], at: u64, full: ptr<barrier, shared>) {
    let whole = bulk.whole(x, at, TILE);
    mbarrier.arrive(full[0], bytes = whole * u32(sizeof<T>));
    bulk.load(tile, x, at, whole, full[0]);
}

// What the bulk copy of a tile leaves: the elements at its end that don't fill 16 bytes, or all where x
// isn't aligned. A warp copies those among its `own` elements; what isn't there becomes 0.
fn __central_patch<const TILE: u32, T: type>(tile: inout T[], x: in T[], at: u64, own: u32) {
    let whole = bulk.whole(x, at, TILE);
    if (whole == TILE) return;
    unroll(1) for (i in (warp.rank * own + warp.lane..warp.rank * own + own).step(32)) {
        if (i >= whole) tile[i] = at + u64(i) < x.len ? x[at + u64(i)] : __zero(tile[i]);
    }
    warp.sync();
}

fn __central_wait<T: type>(before: inout u64[], i: u64, tag: u32, like: T) -> T {
    var (v, kind) = __get_state<T>(before, i, tag);
    while (kind == 0) {
        thread.yield();
        (v, kind) = __get_state<T>(before, i, tag);
    }
    return v;
}

// One warp joins the aggregates of a tile's warps and publishes the tile's. Those of the warps become
// those before each warp.
fn __publish_tile<const WORKERS: u32, P: type, J: fn>(of_warps: inout P[], of_tile: inout P[], s: u32, join: J, sums: inout u64[], t: u64, tag: u32) {
    var all = of_warps[min(warp.lane, WORKERS - 1)];
    unroll for (step in 0..5u32) {
        let left = warp.shuffle_up(all, 1u32 << step);
        if (warp.lane >= 1u32 << step) all = join(left, all);
    }
    let left = warp.shuffle_up(all, 1);
    if (warp.lane < WORKERS) of_warps[warp.lane] = warp.lane == 0 ? __zero(all) : left;
    if (warp.lane == WORKERS - 1) {
        of_tile[s] = all;
        __put_state(sums, t, all, tag | __PARTIAL);
    }
}

// Reads all tiles' aggregates in turn, `blocks` of them at a time, and writes what is before each tile.
fn __central_scan<P: type, J: fn>(tiles: u64, blocks: u64, like: P, join: J, sums: inout u64[], before: inout u64[], tag: u32) -> P {
    const WORDS: u32 = 5; // a lane's values of a round: at most 160 blocks
    var base = __zero(like);
    for (t in (0..tiles).step(blocks)) {
        let count = u32(min(blocks, tiles - t));
        var all: P[WORDS];
        var is_missing = true;
        while (warp.any(is_missing)) { // no load waits for another one
            is_missing = false;
            unroll for (k in 0..WORDS) {
                let (got, kind) = __get_state<P>(sums, t + u64(min(warp.lane + 32 * k, count - 1)), tag);
                all[k] = got;
                is_missing |= kind == 0;
            }
            if (is_missing) thread.yield();
        }
        unroll for (step in 0..5u32) {
            var others: P[WORDS];
            unroll for (k in 0..WORDS) others[k] = warp.shuffle_up(all[k], 1u32 << step);
            unroll for (k in 0..WORDS) {
                if (warp.lane >= 1u32 << step) all[k] = join(others[k], all[k]);
            }
        }
        unroll for (k in 0..WORDS) {
            let left = warp.shuffle_up(all[k], 1);
            let whole = warp.shuffle(all[k], min(31, count - min(count, 32 * k) - 1));
            let has_base = t > 0 || k > 0;
            if (warp.lane + 32 * k < count) {
                var own = base;
                if (warp.lane > 0) own = has_base ? join(base, left) : left;
                __put_state(before, t + u64(warp.lane + 32 * k), own, tag | __PREFIX);
            }
            if (32 * k < count) base = has_base ? join(base, whole) : whole;
        }
    }
    return base;
}

fn __central<const WORKERS: u32, const S: u32, const D: u32, P: type, L: fn, C: fn, A: fn, W: fn, J: fn, E: fn>(tiles: u64, like: P, load: L, count: C, place: A, write: W, join: J, tell: E, sums: inout u64[], before: inout u64[]) {
    static_assert(D >= 2 && S >= D + 2, "a tile is loaded before it is counted, and counted before it is written");
    shared of_warps: P[S, WORKERS];
    shared of_tile: P[S];
    shared ahead: P[2];         // what is before the tile of this round, and of the next one
    shared full: barrier[S];    // the tile is in shared memory
    shared ready: barrier[2];   // `ahead` is there
    shared done: barrier[2];    // the workers have ended a round, or counted the first tiles
    grid.together();
    let tag = __assume_grid(__epoch_tag());
    if (thread.rank == 0) {
        for (s in 0..S) mbarrier.init(full[s], 1);
        for (s in 0..2) {
            mbarrier.init(ready[s], 1);
            mbarrier.init(done[s], WORKERS);
        }
    }
    block.sync();
    let (b, blocks) = (u64(block.id.x), u64(grid.dim.x));
    let rounds = b < tiles ? u32(ceil_div(tiles - b, blocks)) : 0;
    split {
        worker(warps = WORKERS) {
            for (r in 0..min(D, rounds)) {
                mbarrier.wait(full[r], 0);
                let sum = count(r, u64(r) * blocks + b);
                if (warp.lane == 0) of_warps[r, worker.warp] = sum;
            }
            warp.sync();
            if (warp.lane == 0) mbarrier.arrive(done[0]);
            for (r in 0..rounds) {
                let (s, t) = (r % S, u64(r) * blocks + b);
                mbarrier.wait(ready[r % 2], r / 2 % 2);
                let (here, total, earlier) = (of_warps[s, worker.warp], of_tile[s], ahead[r % 2]);
                place(s, t, here, total, earlier, |u| worker.sync());
                worker.sync();
                write(s, t, here, total, earlier);
                let counted = r + D;
                if (counted < rounds) {
                    mbarrier.wait(full[counted % S], counted / S % 2);
                    let sum = count(counted % S, u64(counted) * blocks + b);
                    if (warp.lane == 0) of_warps[counted % S, worker.warp] = sum;
                }
                worker.sync();
                if (warp.lane == 0) mbarrier.arrive(done[(r + 1) % 2]);
            }
        }
        helper(warps = 1) {
            if (warp.lane == 0) {
                for (r in 0..min(S, rounds)) load(r, u64(r) * blocks + b, address(full[r]));
            }
            mbarrier.wait(done[0], 0);
            for (r in 0..min(D, rounds)) __publish_tile<WORKERS>(of_warps[r], of_tile, r, join, sums, u64(r) * blocks + b, tag);
            for (r in 0..rounds) { // what is before the tile of round r
                if (r > 1) { // round r - 2 has ended
                    mbarrier.wait(done[(r - 1) % 2], (r - 1) / 2 % 2);
                    let (told, free) = (r + D - 2, r + S - 2);
                    if (told < rounds) __publish_tile<WORKERS>(of_warps[told % S], of_tile, told % S, join, sums, u64(told) * blocks + b, tag);
                    if (free < rounds && warp.lane == 0) load(free % S, u64(free) * blocks + b, address(full[free % S]));
                    warp.sync();
                }
                if (r < rounds) {
                    let p = __central_wait(before, u64(r) * blocks + b, tag, like);
                    if (warp.lane == 0) {
                        ahead[r % 2] = p;
                        mbarrier.arrive(ready[r % 2]);
                    }
                }
            }
        }
        scanner(warps = 1) {
            if (b == 0 && tiles > 0) {
                let all = __central_scan(tiles, blocks, like, join, sums, before, tag);
                // All aggregates have been read, so all blocks have read the epoch.
                if (warp.lane == 0) {
                    tell(all);
                    __end_epoch(tag);
                }
            }
        }
    }
}
