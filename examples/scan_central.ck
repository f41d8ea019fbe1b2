// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scan_central.ck - y[i] = x[0] + ... + x[i] in one pass over memory, at the speed of a copy.
//
// A scan by tiles has to know the sum of all tiles before a tile. If each block looks back for it,
// all blocks wait at the same time, and memory idles meanwhile. Here blocks read ahead: a ring of S
// stages in shared memory is filled by bulk copies, and the sum of a tile is published D rounds
// before the tile is finished. One warp of block 0, the scanner, reads the sums of a round, adds them
// up in a fixed order, and gives each block the sum before its tile. So results are the same in each
// run, to the last bit.
//
//     round         0    1    2    3     block b has tile r * blocks + b in round r
//     load          S   S+1  ...         a stage is free when the tile before has left it
//     sum           D   D+1  ...         published: sums[tile]
//     scanner       ...                  before[tile] = the sum of all tiles before it
//     finish        0    1    2    3     read from shared memory again, scanned, stored
//
// Words of sums and before carry `epoch`, another number in each launch, so that nothing clears them.
// The roles: WORKERS warps sum and finish tiles; the warp behind them, the helper, loads, publishes
// and fetches; then the scanner.
// CALL: scan_central(epoch=1, x=ones:100000, sums=zeros:64, before=zeros:64)
// EXPECT: y = arange(100000) + 1
// FOR: n in 1, 3, 6144, 6150, 50003
// CALL: scan_central<2, 1, 4, 2>(epoch=7, x=ones:n, sums=zeros:1024, before=zeros:1024) -check
// EXPECT: y = arange(n) + 1

struct Word { value: f32; epoch: u32; }

// Element i of the tile at x[at]; the `whole` first ones have been copied. Four of them from i on.
fn one(tile: in f32[], x: in f32[], at: u32, i: u32, whole: u32) -> f32 {
    if (i < whole) return tile[i];
    return at + i < x.len ? x[at + i] : 0;
}
fn four(tile: in f32[], x: in f32[], at: u32, i: u32, whole: u32) -> f32x4 {
    if (i + 4 <= whole) return tile.load<4>(i);
    return f32x4(one(tile, x, at, i, whole), one(tile, x, at, i + 1, whole), one(tile, x, at, i + 2, whole),
                 one(tile, x, at, i + 3, whole));
}
// Starts to copy the tile at x[at] to its stage.
fn load_tile<const TILE: u32>(tile: out f32[], x: in f32[], at: u32, full: ptr<barrier, shared>) {
    let whole = bulk.whole(x, at, TILE);
    mbarrier.arrive(full[0], bytes = whole * 4);
    bulk.load(tile, x, at, whole, full[0]);
}
// The sum of the warp's part of a tile, which begins at `first`: ROWS rows of 32 vectors.
fn sum_part<const TILE: u32, const ROWS: u32>(tile: in f32[], x: in f32[], at: u32, first: u32) -> f32 {
    let whole = bulk.whole(x, at, TILE);
    var s = f32x4(0);
    unroll for (k in 0..ROWS) s += four(tile, x, at, first + k * 128 + warp.lane * 4, whole);
    return warp.sum((s.x + s.y) + (s.z + s.w));
}
// Scans the warp's part of a tile behind `before`, and stores it.
fn finish_part<const TILE: u32, const ROWS: u32>(tile: in f32[], x: in f32[], y: out f32[], at: u32, first: u32, before: f32) {
    let whole = bulk.whole(x, at, TILE);
    var v: f32x4[ROWS];
    var ends: f32[ROWS];                            // up to the end of the lane's vector, in its row
    unroll for (k in 0..ROWS) {
        v[k] = four(tile, x, at, first + k * 128 + warp.lane * 4, whole);
        unroll for (j in 1..4) v[k][j] += v[k][j - 1];
        ends[k] = v[k].w;
    }
    unroll for (step in 0..5u32) {                  // the rows' scans side by side
        var others: f32[ROWS];
        unroll for (k in 0..ROWS) others[k] = warp.shuffle_up(ends[k], 1u32 << step);
        unroll for (k in 0..ROWS) if (warp.lane >= 1u32 << step) ends[k] += others[k];
    }
    var sum = before;
    unroll for (k in 0..ROWS) {
        let left = warp.shuffle_up(ends[k], 1);
        let add = sum + (warp.lane > 0 ? left : 0);
        sum += warp.broadcast(ends[k], 31);
        let i = at + first + k * 128 + warp.lane * 4;
        v[k] += f32x4(add);
        if (i + 4 <= y.len) y.store(i, v[k]);
        else unroll for (j in 0..4u32) if (i + j < y.len) y[i + j] = v[k][j];
    }
}
// Publishes the sum of a tile, by one warp. The sums of the warps become those before each warp.
fn publish(of_warps: inout f32[], warps: u32, sums: inout Word[], i: u32, epoch: u32) {
    let all = warp.inclusive_scan(warp.lane < warps ? of_warps[warp.lane] : 0, +);
    let left = warp.shuffle_up(all, 1);
    of_warps[warp.lane] = warp.lane > 0 ? left : 0;
    if (warp.lane == 31) atomic.store(sums[i], Word(all, epoch));
}
fn wait_for(before: inout Word[], i: u32, epoch: u32) -> f32 {
    var w = atomic.load(before[i]);
    while (w.epoch != epoch) {
        thread.yield();
        w = atomic.load(before[i]);
    }
    return w.value;
}

@require(sm >= 90)
kernel scan_central<const WORKERS: u32 = 12, const ROWS: u32 = 4, const S: u32 = 9, const D: u32 = 6>(
    n: u32, epoch: u32, x: in f32[n], y: out f32[n], words: u32, sums: inout Word[words], before: inout Word[words])
    launch(block = 32 * (WORKERS + 2), grid = min(resident, 160))
{
    const TILE: u32 = WORKERS * ROWS * 128;
    static_assert(D >= 2 && S >= D + 2, "a tile is loaded before it is counted, and counted before it is finished");
    shared tile: f32[S, TILE];
    shared of_warps: f32[S, 32];
    shared prefix: f32[2];
    shared full: barrier[S];
    grid.together();
    if (thread.rank == 0) for (s in 0..S) mbarrier.init(full[s], 1);
    block.sync();
    let (b, blocks, tiles) = (block.id.x, grid.dim.x, ceil_div(n, TILE));
    let rounds = b < tiles ? ceil_div(tiles - b, blocks) : 0;
    split {
        worker(warps = WORKERS + 1) {
            let is_helper = worker.warp == WORKERS;
            let first = worker.warp * ROWS * 128;
            if (is_helper && warp.lane == 0) {
                for (r in 0..min(S, rounds)) load_tile<TILE>(tile[r], x, (r * blocks + b) * TILE, address(full[r]));
            }
            for (r in 0..(is_helper ? 0 : min(D, rounds))) {
                mbarrier.wait(full[r], 0);
                let sum = sum_part<TILE, ROWS>(tile[r], x, (r * blocks + b) * TILE, first);
                if (warp.lane == 0) of_warps[r, worker.warp] = sum;
            }
            worker.sync();
            if (is_helper && rounds > 0) {
                for (r in 0..min(D, rounds)) publish(of_warps[r], WORKERS, sums, r * blocks + b, epoch);
                let p = wait_for(before, b, epoch);
                if (warp.lane == 0) prefix[0] = p;
            }
            worker.sync();
            for (r in 0..rounds) {
                let (s, counted) = (r % S, r + D);
                if (is_helper) {
                    let (told, free) = (r + D - 1, r + S - 1);
                    if (r > 0 && told < rounds) publish(of_warps[told % S], WORKERS, sums, told * blocks + b, epoch);
                    if (r > 0 && free < rounds && warp.lane == 0) {
                        load_tile<TILE>(tile[free % S], x, (free * blocks + b) * TILE, address(full[free % S]));
                    }
                    warp.sync();
                    if (r + 1 < rounds) {
                        let p = wait_for(before, (r + 1) * blocks + b, epoch);
                        if (warp.lane == 0) prefix[(r + 1) % 2] = p;
                    }
                } else {
                    finish_part<TILE, ROWS>(tile[s], x, y, (r * blocks + b) * TILE, first, prefix[r % 2] + of_warps[s, worker.warp]);
                    if (counted < rounds) {
                        mbarrier.wait(full[counted % S], counted / S % 2);
                        let sum = sum_part<TILE, ROWS>(tile[counted % S], x, (counted * blocks + b) * TILE, first);
                        if (warp.lane == 0) of_warps[counted % S, worker.warp] = sum;
                    }
                }
                worker.sync();
            }
        }
        scanner(warps = 1) {
            const WORDS: u32 = 5;                   // a lane's words of a round: at most 160 blocks
            assert(blocks <= 32 * WORDS);
            var base = 0.0;
            for (t in (0..b == 0 ? tiles : 0).step(blocks)) {
                let count = min(blocks, tiles - t);
                var w: Word[WORDS];
                var is_missing = true;
                while (warp.any(is_missing)) {      // all words that are missing at once
                    unroll for (k in 0..WORDS) {
                        let i = warp.lane + 32 * k;
                        if (i < count && w[k].epoch != epoch) w[k] = atomic.load(sums[t + i]);
                    }
                    is_missing = false;
                    unroll for (k in 0..WORDS) if (warp.lane + 32 * k < count) is_missing |= w[k].epoch != epoch;
                    if (is_missing) thread.yield();
                }
                unroll for (k in 0..WORDS) {
                    let all = warp.inclusive_scan(warp.lane + 32 * k < count ? w[k].value : 0, +);
                    let left = warp.shuffle_up(all, 1);
                    let i = warp.lane + 32 * k;
                    if (i < count) atomic.store(before[t + i], Word(base + (warp.lane > 0 ? left : 0), epoch));
                    base += warp.broadcast(all, 31);
                }
            }
        }
    }
}
