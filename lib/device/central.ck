// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/central.ck - central scanners: how blocks that go through more data than the L2 cache holds
// learn what is before each of their tiles, without waiting for each other.
//
// Each tile has an aggregate, such as the number of its elements that are kept, and can't be written
// before the aggregates of all tiles before it are known. Blocks that look back for them wait for each
// other while memory idles. Here two warps of the grid, the scanners, read the aggregates of all tiles in
// their order, and each block is several tiles ahead: it has copied S tiles to shared memory, and has
// published the aggregates of D of them, before what is before the first one is needed.
//
// A block goes through its tiles in rounds. There are one or two teams of WORKERS warps; two take turns, so
// that one computes while the other one waits:
//
//     block b   tile b | tile b + blocks | tile b + 2 blocks | ...    one tile a round
//     team 0    rounds 0, 2, 4, ...: place and write tile r, count tile r + D
//     team 1    rounds 1, 3, 5, ...
//     teller    when round r is over: load tile r + S in the place of tile r, publish the aggregate of r + D
//     fetcher   poll for what is before tile r
//     scanners  two warps of each block, of which those of block 0 work: read the aggregates of the tiles
//               of a round, write what is before each of them; they take turns too, and hand what is
//               before a round to each other
//
// Each word has one reader, and is asked for until it comes; its tag tells the launch (device/state.ck).
// All blocks have to run at a time, at most 160, and the launch is cooperative for that.
//
// The tile of round r lies in place s = r % S of shared memory, and each place has three barriers. A phase
// is one tile:
//
//     barrier    a phase ends when                     who arrives                   who waits
//     full[s]    the copy has ended                    the bulk copy, after load     count
//     ready[s]   before, of_warps, total have come     teller and fetcher            place
//     done[s]    the tile has been written             the warps of the team         teller and fetcher
//
// No phase of a place can end twice before all that wait for it have seen it: the next tile of the place is
// loaded when the teller has seen `done`, and fetched when the fetcher has.
//
// An algorithm gives functions. `s` is the tile's place in shared memory, below S; `t` is its number. The
// number of a thread in its team is thread.rank % (32 * WORKERS).
//
//     parts(t)                               how many warps have elements of the tile; the others' aggregates
//                                            are not looked at
//     load(s, t, bar)                        one thread starts to copy the tile, and arrives at bar with its bytes
//     count(s, t)                            a team; the aggregate of the warp's part, in all lanes
//     place(s, t, of_warps, total, before, sync)
//                                            a team: of_warps is the aggregate of the warps before, total
//                                            of the tile, before of the tiles before. sync(0) waits for the
//                                            team: behind it, all have ended the write of their last round
//     write(s, t, of_warps, total, before)   a team, when all have placed. What writes to the tile ends with
//                                            bulk.fence()
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
// isn't aligned. A warp copies those among its OWN elements; what isn't there becomes 0.
fn __central_patch<const TILE: u32, const OWN: u32, T: type>(tile: inout T[], x: in T[], at: u64) {
    let whole = bulk.whole(x, at, TILE);
    if (whole == TILE) return;
    let here = __team_warp<TILE / OWN>() * OWN;
    unroll(1) for (i in (here + warp.lane..here + OWN).step(32)) {
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

// The warps that have some of the elements of tile t, of n, each at most OWN.
fn __central_parts<const TILE: u32, const OWN: u32>(n: u64, t: u64) -> u32 = u32(min(n - t * u64(TILE), u64(TILE)) + u64(OWN - 1)) / OWN;

// One warp joins the aggregates of a tile's warps and publishes the tile's. Those of the warps become
// those before each warp.
fn __publish_tile<const WORKERS: u32, P: type, J: fn>(of_warps: inout P[], of_tile: inout P[], s: u32, parts: u32, join: J, sums: inout u64[], t: u64, tag: u32) {
    var all = __zero(of_warps[0]);
    if (warp.lane < WORKERS) all = of_warps[warp.lane]; // no lane reads what another one writes below
    unroll for (step in 0..5u32) {
        if (1u32 << step < WORKERS) {
            let left = warp.shuffle_up(all, 1u32 << step);
            if (warp.lane >= 1u32 << step && warp.lane < parts) all = join(left, all);
        }
    }
    let left = warp.shuffle_up(all, 1);
    if (warp.lane < WORKERS) of_warps[warp.lane] = warp.lane == 0 ? __zero(all) : left;
    if (warp.lane == parts - 1) {
        of_tile[s] = all;
        __put_state(sums, t, all, tag | __PARTIAL);
    }
}

// Tiles of a round for each lane of a scanner. So a grid has at most 160 blocks.
const __LANE_TILES: u32 = 5;
// Scanners: one polls while the other one adds up. More of them would poll more, and polls delay the blocks
// that write what they ask for.
const __SCANNERS: u32 = 2;

// The aggregates of `count` tiles from tile t on, when all of them are there: tiles lane, lane + 32, ... for
// each lane. A poll asks for adjacent words, and for those alone that haven't come.
fn __central_poll<P: type>(sums: inout u64[], t: u64, count: u32, tag: u32) -> P[__LANE_TILES] {
    const W: u32 = (u32(sizeof<P>) + 3) / 4;
    var words: u64[__LANE_TILES, W];
    var all: P[__LANE_TILES];
    var missing = (1u32 << (count + 31 - warp.lane) / 32) - 1; // a bit for each tile of the lane
    while (warp.any(missing != 0)) {
        unroll for (k in 0..__LANE_TILES) { // no load waits for another one
            if ((missing >> k & 1) == 1) words[k] = __state_words<W>(sums, t + u64(warp.lane + 32 * k));
        }
        unroll for (k in 0..__LANE_TILES) {
            let (got, kind) = __state_of<P>(words[k], tag);
            all[k] = got;
            if (kind != 0) missing &= ~(1u32 << k);
        }
        if (missing != 0) thread.yield();
    }
    return all;
}

// A scanner: reads the aggregates of rounds own, own + 2, ... and writes what is before each of their tiles.
// `order` is shared memory of its own. What is before a round's first tile comes from the other scanner: it
// is in bases[own] when handed[own] completes a phase.
fn __central_scan<P: type, J: fn, E: fn>(own: u32, tiles: u64, blocks: u64, join: J, tell: E, sums: inout u64[], before: inout u64[], tag: u32, order: inout P[], bases: inout P[], handed: ptr<barrier, shared>) {
    let rounds = u32(ceil_div(tiles, blocks));
    let (next, first) = ((own + 1) % __SCANNERS, warp.lane * __LANE_TILES);
    var all = __zero(order[0]); // the aggregate of all tiles so far
    for (r in (own..rounds).step(__SCANNERS)) {
        let t = u64(r) * blocks;
        let count = u32(min(blocks, tiles - t));
        let mine = min(count - min(count, first), __LANE_TILES); // adjacent tiles of this lane, from `first` on
        let came = __central_poll<P>(sums, t, count, tag);
        unroll for (k in 0..__LANE_TILES) order[warp.lane + 32 * k] = came[k];
        warp.sync();
        var up_to: P[__LANE_TILES];
        unroll for (k in 0..__LANE_TILES) up_to[k] = order[first + k];
        var total = up_to[0];
        unroll for (k in 1..__LANE_TILES) {
            if (k < mine) {
                total = join(total, up_to[k]);
                up_to[k] = total;
            }
        }
        unroll for (step in 0..5u32) {
            let left = warp.shuffle_up(total, 1u32 << step);
            if (warp.lane >= 1u32 << step && mine > 0) total = join(left, total);
        }
        let left = warp.shuffle_up(total, 1);
        let whole = warp.shuffle(total, (count - 1) / __LANE_TILES);
        mbarrier.wait(handed[own], r / __SCANNERS % 2);
        let base = bases[own];
        all = t > 0 ? join(base, whole) : whole;
        warp.sync();
        if (warp.lane == 0) {
            bases[next] = all;
            mbarrier.arrive(handed[next]);
        }
        var ahead = base; // what is before the lane's tiles
        if (warp.lane > 0 && mine > 0) ahead = t > 0 ? join(base, left) : left;
        unroll for (k in 0..__LANE_TILES) {
            var v = ahead;
            if (k > 0 && k < mine) v = t > 0 || warp.lane > 0 ? join(ahead, up_to[max(k, 1) - 1]) : up_to[max(k, 1) - 1];
            order[first + k] = v;
        }
        warp.sync();
        unroll for (k in 0..__LANE_TILES) {
            let i = warp.lane + 32 * k;
            if (i < count) __put_state(before, t + u64(i), order[i], tag | __PREFIX);
        }
        warp.sync();
    }
    // All aggregates have been read, so all blocks have read the epoch.
    if (rounds > 0 && own == (rounds - 1) % __SCANNERS && warp.lane == 0) {
        tell(all);
        __end_epoch(tag);
    }
}

// The warp's number in its team.
fn __team_warp<const WORKERS: u32>() -> u32 = __assume_warp(warp.rank % WORKERS);
// The threads of a block: teams, teller, fetcher, scanners.
fn __central_threads<const TEAMS: u32, const WORKERS: u32>() -> u32 = 32 * (TEAMS * WORKERS + 2 + __SCANNERS);

fn __central<const TEAMS: u32, const WORKERS: u32, const S: u32, const D: u32, P: type, Q: fn, L: fn, C: fn, A: fn, W: fn, J: fn, E: fn>(tiles: u64, like: P, parts: Q, load: L, count: C, place: A, write: W, join: J, tell: E, sums: inout u64[], before: inout u64[]) {
    static_assert(D >= 2 && S >= D + 2, "a tile is loaded before it is counted, and counted before it is written");
    shared of_warps: P[S, WORKERS];
    shared of_tile: P[S];
    shared ahead: P[S];        // what is before the tiles
    shared full: barrier[S];   // the tile is in shared memory
    shared ready: barrier[S];  // what is before it has come, and of_warps and of_tile are final
    shared done: barrier[S];   // its team has written it
    shared begun: barrier;     // the first D tiles have been counted
    shared order: P[__SCANNERS, 32 * __LANE_TILES];
    shared bases: P[__SCANNERS];        // what is before the scanners' next rounds
    shared handed: barrier[__SCANNERS]; // it has come
    grid.together();
    let tag = __assume_grid(__epoch_tag());
    if (thread.rank == 0) {
        for (s in 0..S) {
            mbarrier.init(full[s], 1);
            mbarrier.init(ready[s], 2); // the teller and the fetcher
            mbarrier.init(done[s], WORKERS);
        }
        mbarrier.init(begun, TEAMS * WORKERS);
        for (i in 0..__SCANNERS) mbarrier.init(handed[i], 1);
        bases[0] = __zero(like);
        mbarrier.arrive(handed[0]);
    }
    block.sync();
    let (b, blocks) = (u64(block.id.x), u64(grid.dim.x));
    let rounds = b < tiles ? u32(ceil_div(tiles - b, blocks)) : 0;
    const TEAM_BARRIER: u32 = 8; // the first team's hardware barrier: the roles of the split have 1 to 4
    split {
        worker(warps = TEAMS * WORKERS) {
            let (team, own) = (__assume_warp(worker.warp / WORKERS), __team_warp<WORKERS>());
            for (r in (team..min(D, rounds)).step(TEAMS)) {
                mbarrier.wait(full[r], 0);
                let sum = count(r, u64(r) * blocks + b);
                if (warp.lane == 0) of_warps[r, own] = sum;
            }
            warp.sync();
            if (warp.lane == 0) mbarrier.arrive(begun);
            for (r in (team..rounds).step(TEAMS)) {
                let (s, t) = (r % S, u64(r) * blocks + b);
                mbarrier.wait(ready[s], r / S % 2);
                let (here, total, earlier) = (of_warps[s, own], of_tile[s], ahead[s]);
                place(s, t, here, total, earlier, |u| __part_sync(team * WORKERS, WORKERS, TEAM_BARRIER + team));
                __part_sync(team * WORKERS, WORKERS, TEAM_BARRIER + team);
                write(s, t, here, total, earlier);
                let next = r + D;
                if (next < rounds) {
                    mbarrier.wait(full[next % S], next / S % 2);
                    let sum = count(next % S, u64(next) * blocks + b);
                    if (warp.lane == 0) of_warps[next % S, own] = sum;
                }
                warp.sync();
                if (warp.lane == 0) mbarrier.arrive(done[s]);
            }
        }
        teller(warps = 1) {
            if (warp.lane == 0) {
                for (r in 0..min(S, rounds)) load(r, u64(r) * blocks + b, address(full[r]));
            }
            mbarrier.wait(begun, 0);
            for (told in 0..rounds) {
                if (told >= D) { // round r has ended, in which the tile was counted
                    let r = told - D;
                    mbarrier.wait(done[r % S], r / S % 2);
                }
                let (s, t) = (told % S, u64(told) * blocks + b);
                __publish_tile<WORKERS>(of_warps[s], of_tile, s, parts(t), join, sums, t, tag); // others wait for it
                warp.sync();
                if (warp.lane == 0) {
                    mbarrier.arrive(ready[s]);
                    let loaded = told + (S - D);
                    if (told >= D && loaded < rounds) load(loaded % S, u64(loaded) * blocks + b, address(full[loaded % S]));
                }
                warp.sync();
            }
        }
        fetcher(warps = 1) {
            for (r in 0..rounds) {
                let p = __central_wait(before, u64(r) * blocks + b, tag, like);
                if (r >= S) mbarrier.wait(done[r % S], (r / S - 1) % 2); // its place is free
                if (warp.lane == 0) {
                    ahead[r % S] = p;
                    mbarrier.arrive(ready[r % S]);
                }
            }
        }
        scanner(warps = __SCANNERS) {
            if (b == 0) __central_scan(scanner.warp, tiles, blocks, join, tell, sums, before, tag, order[scanner.warp], bases, address(handed[0]));
        }
    }
}
